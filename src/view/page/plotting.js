"use strict";
// The tab of the series.

/** The plots of the series. */
const Plotting = {
  chosen: null,

  /** Offers all columns that change. */
  fill() {
    const moving = Page.series.moving();
    if (!Plotting.chosen) {
      const usual = Plots.usual.filter((name) => moving.includes(name));
      Plotting.chosen = new Set(usual.length > 0 ? usual : moving.slice(0, 6));
    }
    if ($("choices").childElementCount === moving.length) return;
    $("choices").replaceChildren(...moving.map((name) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: Plotting.chosen.has(name) });
      box.addEventListener("change", () => {
        if (box.checked) Plotting.chosen.add(name); else Plotting.chosen.delete(name);
        Plotting.draw();
      });
      label.append(box, ` ${Plots.words(name)}`);
      return label;
    }));
  },

  draw() {
    if ($("series").hidden || !Plotting.chosen) return;
    const times = Page.series.column("time_s");
    const names = Page.series.moving().filter((name) => Plotting.chosen.has(name));
    const figures = $("plots");
    if (figures.dataset.names !== names.join()) {
      figures.dataset.names = names.join();
      figures.replaceChildren(...names.map((name) => {
        const figure = document.createElement("figure");
        const caption = document.createElement("figcaption");
        caption.textContent = Plots.words(name);
        figure.append(caption, document.createElement("canvas"));
        return figure;
      }));
    }
    names.forEach((name, k) => Plots.draw(figures.children[k].querySelector("canvas"), times, Page.series.column(name), Page.shown?.time ?? null));
  },
};
