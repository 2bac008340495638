"use strict";
// The tab about the run.

/** What the run is: as `breccia info` tells it. All of it is text, whatever the run's files hold. */
const About = {
  table(rows) {
    const table = document.createElement("table");
    for (const cells of rows) {
      const row = table.insertRow();
      cells.forEach((text, k) => {
        const cell = k === 0 ? document.createElement("th") : document.createElement("td");
        cell.textContent = text;
        if (text === "missed") cell.className = "missed";
        row.append(cell);
      });
    }
    return table;
  },

  draw({ summary, asteroid, materials, promised }) {
    const m = summary.manifest;
    const parts = [];
    const part = (title, rows) => {
      if (rows.length === 0) return;
      const head = document.createElement("h2");
      head.textContent = title;
      parts.push(head, About.table(rows));
    };
    part("Expectations", summary.expect.map((v) => [v.quantity, v.value === null ? "not measured" : Numbers.text(v.value), `expected ${Numbers.text(v.expected)} within ${Numbers.text(v.tolerance)}`, v.ok ? "met" : "missed", v.source ?? ""]));
    const allowed = (p) => `${Numbers.text(p.value)} within ${Numbers.text(p.absolute ? p.tolerance : Math.abs(p.value) * p.tolerance)}`;
    if (summary.expect.length === 0) part("Expectations, which a run judges at its end", promised.map((p) => [p.quantity, `expected ${allowed(p)}`, p.source]));
    part("The run", [
      ["directory", summary.directory], ["status", `${summary.status ?? "not known"}${m?.ended ? `: ${m.ended}` : ""}`],
      ...(m ? [["scenario", m.scenario], ["seed", String(m.seed)], ["bodies", Numbers.whole(m.bodies)], ["steps", `${Numbers.whole(m.steps)} of ${Numbers.text(m.time_step_s)} s: ${m.time_step_reason}`], ["law", m.law], ["engine", m.engine], ["version", m.version], ["sha-256 of the scenario", m.scenario_hash]] : []),
      ["materials", materials.join(", ")], ["asteroid", asteroid ?? "none"],
      ["wall time", Numbers.time(summary.wall_s)], ["peak memory", summary.peak_memory_bytes ? Numbers.bytes(summary.peak_memory_bytes) : "not known"],
      ["files", `${summary.size.files}, ${Numbers.bytes(summary.size.bytes)}; frames: ${summary.frames}`],
      ...(m?.warnings ?? []).map((text) => ["warning", text]), ...summary.faults.map((text) => ["damaged", text]),
    ]);
    part("Sessions", summary.sessions.map((s) => [s.started, s.command.join(" "), `${Numbers.time(s.wall_s)}, steps ${Numbers.whole(s.from_step)} to ${Numbers.whole(s.to_step)}, ${s.status}`, `${s.host}, ${s.adapter ? `${s.adapter.name}, ${s.adapter.driver}` : "no adapter"}`]));
    part("Inputs", summary.inputs.map((i) => [i.key, i.path, Numbers.bytes(i.bytes), `copy: ${i.copy}`]));
    $("about").replaceChildren(...parts);
  },
};
