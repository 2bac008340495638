//! Scenarios at the edge: what is refused beyond plain wrong values, and the message about a single typing error.

use breccia::engine::gpu::prepare::prepare;
use breccia::record::check::check;
use breccia::scenario::generate::generate;
use breccia::scenario::load;
use breccia::scenario::parse::parse;

const GOOD: &str = r#"format = 1
[run]
duration_s = 10.0
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 0], radius_m = 1.0 }, { position_m = [9, 0, 0], radius_m = 1.0 }]
"#;

fn faults(text: &str) -> Vec<String> {
    let error = parse(text, "edge.toml", &[]).expect_err("accepted");
    assert_eq!(error.exit_code(), 2);
    error.to_string().lines().map(str::to_owned).collect()
}

/// Exactly one fault, at this line, that holds these texts.
fn one_fault(text: &str, line: usize, texts: &[&str]) {
    let list = faults(text);
    assert_eq!(list.len(), 1, "{list:#?}");
    assert!(list[0].starts_with(&format!("edge.toml:{line}: ")), "{}", list[0]);
    texts.iter().for_each(|t| assert!(list[0].contains(t), "`{t}` is not in: {}", list[0]));
}

fn replaced(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replacen(from, to, 1)
}

#[test]
fn one_slip_is_one_fault() {
    let lattice = |word: &str| {
        let i = GOOD.find("generator").unwrap();
        format!("{}generator = \"{word}\"\ncount = 8\ncontainer_radius_m = 9.0\nradius_m = 1.0\n", &GOOD[..i])
    };
    parse(&lattice("sphere"), "edge.toml", &[]).expect("good");
    one_fault(&lattice("spere"), 11, &["bodies.0.generator", "did you mean `sphere`"]);
    let uniform = |kind: &str| format!("{GOOD}[[gravity]]\nkind = \"{kind}\"\nacceleration_m_s2 = [0, 0, -1]\n");
    one_fault(&uniform("unifrom"), 14, &["gravity.0.kind", "did you mean `uniform`"]);
    one_fault(&format!("{GOOD}[[gravity]]\nkind = \"self\"\nmethod = 3\n"), 15, &["gravity.0.method", "not a string"]);
}

#[test]
fn gravity_of_an_asteroid_needs_one_and_is_evaluated_with_the_rest() {
    let source = |keys: &str| format!("{GOOD}[[gravity]]\nkind = \"asteroid\"\n{keys}\n");
    let body = "[asteroid]\nshape = { kind = \"mesh\", path = \"a.obj\", unit_m = 1 }\ndensity_kg_m3 = 1190\n";
    parse(&format!("{}{body}", source("method = \"exact\"")), "edge.toml", &[]).expect("good");
    assert!(faults(&source(""))[0].contains("add an [asteroid] section"));
    let with = |keys: &str| faults(&format!("{}{body}", source(keys)));
    assert!(with("method = \"exact\"\naccuracy = 1e-4")[0].contains("belongs to method = \"tree\""));
    assert!(with("method = \"tree\"\naccuracy = 1e-8")[0].contains("gravity.0.accuracy"));
    let both = "update_every = 5\n[[gravity]]\nkind = \"self\"\nupdate_every = 6";
    assert!(with(both)[0].contains("update_every is 5 and 6"));
    assert!(with("[[gravity]]\nkind = \"asteroid\"")[0].contains("given twice"));
}

#[test]
fn names_are_unique_and_plain() {
    let second = GOOD.replacen(
        "[[bodies]]",
        &format!("{}[[bodies]]", &GOOD[GOOD.find("[[material]]").unwrap()..GOOD.find("[[bodies]]").unwrap()]),
        1,
    );
    let list = faults(&second);
    assert!(list.iter().any(|f| f.contains("edge.toml:11: material.rock.name: \"rock\" is taken")), "{list:#?}");
    let floor = "[[wall]]\nkind = \"plane\"\npoint_m = [0, 0, -9]\nnormal = [0, 0, 1]\n";
    parse(&format!("{GOOD}{floor}"), "edge.toml", &[]).expect("one wall needs no name");
    one_fault(&format!("{GOOD}{floor}{floor}"), 17, &["wall.1.name", "\"wall\" is taken", "a name of its own"]);
    one_fault(&format!("{GOOD}{}", floor.replace("plane\"", "plane\"\nname = \"a,b\"")), 15, &["a,b", "letters"]);
    one_fault(&format!("name = \"../x\"\n{GOOD}"), 1, &["name", "../x", "letters"]);
}

#[test]
fn absurd_counts_are_refused_before_memory_is_taken() {
    let i = GOOD.find("generator").unwrap();
    let text =
        format!("{}generator = \"lattice\"\ncount = 4000000000000\ngrid_spacing_m = 9\nradius_m = 1.0\n", &GOOD[..i]);
    one_fault(&text, 12, &["bodies.0.count", "4000000000000 is more than 20000000"]);
    one_fault(
        &format!("{GOOD}[[gravity]]\nkind = \"self\"\nupdate_every = 5000000000\n"),
        15,
        &["update_every", "1000000"],
    );
    one_fault(&replaced("duration_s = 10.0", "duration_s = nan"), 3, &["not finite"]);
}

#[test]
fn set_replaces_a_range_of_radii_by_a_number() {
    let set = |o: &str| load("accretion_small", &[o.to_owned()]);
    let s = set("bodies.0.radius_m=4.25").expect("parses");
    assert!(generate(&s).unwrap().radius_m.iter().all(|r| *r == 4.25));
    let s = set("bodies.0.radius_m.max_m=4.0").expect("parses");
    assert!(generate(&s).unwrap().radius_m.iter().all(|r| (3.75..=4.0).contains(r)));
    let s = load("two_body_fall", &["bodies.0.body.1.radius_m=\"50 cm\"".into()]).expect("parses");
    assert_eq!(generate(&s).unwrap().radius_m, [4.25, 0.5]);
}

#[test]
fn bodies_that_start_inside_one_another_are_named() {
    let told = |x: f64, r: f64| {
        let text =
            replaced("position_m = [9, 0, 0], radius_m = 1.0", &format!("position_m = [{x}, 0, 0], radius_m = {r}"));
        let s = parse(&text, "edge.toml", &[]).expect("parses");
        check(&s, &generate(&s).unwrap()).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(told(1.8, 1.0), Ok(()), "an overlap of 0.2 is allowed");
    for (x, r, ratio) in [(1.5, 1.0, "overlap by 0.5 "), (-1.5, 1.0, "overlap by 0.5 "), (1.05, 0.1, "overlap by 0.5 ")]
    {
        let message = told(x, r).expect_err("refused");
        assert!(message.contains("bodies 0 and 1") && message.contains(ratio), "{message}");
        assert!(message.contains("guards.overlap_max"), "no way out: {message}");
    }
}

#[test]
fn time_steps_that_cannot_work_are_refused() {
    let told = |set: &[&str]| {
        let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
        let s = parse(GOOD, "edge.toml", &set).expect("parses");
        let error = check(&s, &generate(&s).unwrap()).map(|e| e.steps).expect_err("refused");
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    };
    let coarse = told(&["run.time_step_s=1"]);
    assert!(coarse.contains("run.time_step_s") && coarse.contains("\"auto\""), "{coarse}");
    let long = told(&["run.time_step_s=1e-12"]);
    assert!(long.contains("run.duration_s") && long.contains("soften"), "{long}");
    let dust = told(&["bodies.0.body.0.radius_m=1e-200", "bodies.0.body.1.radius_m=1e-200"]);
    assert!(dust.contains("1e-200 m, outside [1e-9, 1e12]"), "{dust}");
}

/// Two spheres of 4 m, the larger radius, under contact dynamics, with this material and this skin.
fn rigid(material: &str, skin: f64) -> String {
    format!(
        "format = 1\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 10.0\ntime_step_s = 1.0\n[[material]]\n\
         density_kg_m3 = 3000.0\nrestitution_normal = 0.0\nfriction_sliding = 0.4\n{material}\n[[bodies]]\n\
         generator = \"list\"\nbody = [{{ position_m = [0, 0, 0], radius_m = 4.0 }}, {{ position_m = [9, 0, 0], \
         radius_m = 2.0 }}]\n[neighbours]\nskin_radii = {skin}\n"
    )
}

#[test]
fn forces_have_units() {
    for (typed, newton) in [("2.5", 2.5), ("\"2.5\"", 2.5), ("\"2.5 N\"", 2.5), ("\"2.5 kN\"", 2500.0)] {
        let s = parse(&rigid(&format!("cohesion_force_n = {typed}"), 0.1), "edge.toml", &[]).expect("parses");
        assert_eq!(s.materials[0].number("cohesion_force_n"), Some(newton), "{typed}");
    }
    for (typed, newton) in [("2.5 mN", 2.5e-3), ("2.5 uN", 2.5e-6), ("2.5 MN", 2.5e6)] {
        let s = parse(&rigid(&format!("cohesion_force_n = \"{typed}\""), 0.1), "edge.toml", &[]).expect("parses");
        let read = s.materials[0].number("cohesion_force_n").expect("typed");
        assert!((read / newton - 1.0).abs() < 1e-14, "{typed}");
    }
    one_fault(&rigid("cohesion_force_n = \"1 Pa\"", 0.1), 10, &["cohesion_force_n", "something else", "N, uN, mN, kN"]);
}

/// A range of cohesion that the neighbour list does not reach is refused with numbers that work.
#[test]
fn advice_on_the_range_of_cohesion_works() {
    let told = |range: f64, skin: f64| {
        let text = rigid(&format!("cohesion_force_n = 1.0\ncohesion_range_m = {range}"), skin);
        let s = parse(&text, "edge.toml", &[]).expect("parses");
        let bodies = generate(&s).expect("makes bodies");
        prepare(&s, &bodies, 1.0, false).err().map(|e| (e.exit_code(), e.to_string()))
    };
    let number = |text: &str, before: &str| -> f64 {
        let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("`{before}` is not in: {text}"));
        rest.split([' ', ',']).next().and_then(|w| w.parse().ok()).expect("a number")
    };
    // 0.4 m are 0.1 of the largest radius: a skin of 0.12 would do.
    let (code, text) = told(0.4, 0.1).expect("refused");
    assert!(code == 2 && text.contains("cohesion_range_m: 0.4 m"), "{text}");
    assert_eq!(told(0.4, number(&text, "skin_radii above ") * 1.001), None);
    assert_eq!(told(number(&text, "lower the range below ") * 0.999, 0.1), None);
    // 0.6 m need 0.18, more than there is.
    let (_, text) = told(0.6, 0.1).expect("refused");
    assert!(!text.contains("raise"), "{text}");
    let longest = number(&text, "lower it below ");
    assert_eq!(told(longest * 0.999, number(&text, "skin_radii = ")), None);
    assert!(told(longest * 1.001, 0.15).is_some());
    // Without cohesion contacts still need some skin.
    let (_, text) = told(0.0, 0.01).expect("refused");
    assert!(text.contains("neighbours.skin_radii: 0.01") && !text.contains("cohesion"), "{text}");
    assert_eq!(told(0.0, number(&text, "raise it above ") * 1.001), None);
}

/// Two spheres of 4.25 m and 5164 kg/m3: as one sphere of their volume, from g = G M / R^2 and v = sqrt(2 G M / R).
#[test]
fn estimates_follow_from_mass_and_volume() {
    let s = load("two_body_fall", &[]).expect("parses");
    let e = check(&s, &generate(&s).unwrap()).expect("fits");
    let mass = 2.0 * 5164.0 * 4.0 / 3.0 * std::f64::consts::PI * 4.25_f64.powi(3);
    let radius = 2.0_f64.cbrt() * 4.25;
    // 1e-4: room for the digits of the gravitational constant, 6.674e-11 or longer.
    assert!((e.mass_kg / mass - 1.0).abs() < 1e-12);
    assert!((e.surface_gravity_m_s2 / (6.674e-11 * mass / radius.powi(2)) - 1.0).abs() < 1e-4);
    assert!((e.escape_speed_m_s / (2.0 * 6.674e-11 * mass / radius).sqrt() - 1.0).abs() < 1e-4);
    assert_eq!(e.gpu_bytes, e.gpu_bytes_by_life.iter().sum::<u64>());
    assert!(e.gpu_bytes_by_life.iter().all(|b| *b > 0), "{:?}", e.gpu_bytes_by_life);
    assert!(e.largest_buffer_bytes > 0 && e.largest_buffer_bytes < e.gpu_bytes && e.warnings.is_empty());
}

/// 90^3 bodies: what their pairs give is more than the 128 MiB that WebGPU grants everywhere.
#[test]
fn a_buffer_that_not_every_device_binds_is_told() {
    let s = load("accretion", &["bodies.0.count=1000000".to_owned()]).expect("parses");
    let e = check(&s, &generate(&s).unwrap()).expect("fits");
    assert!(e.largest_buffer_bytes > 128 << 20, "{} has {} bytes", e.largest_buffer, e.largest_buffer_bytes);
    let told = format!("buffer `{}` has", e.largest_buffer);
    assert!(e.warnings.iter().any(|w| w.contains(&told) && w.contains("breccia gpus")), "{:?}", e.warnings);
}

#[test]
fn the_examples_in_the_docs_are_good() {
    let text = std::fs::read_to_string("docs/user/scenarios.md").expect("docs");
    let examples = text.split("```toml").skip(1).filter_map(|t| t.split("```").next());
    let counts = examples.map(|example| {
        let scenario = parse(example, "example.toml", &[]).expect("parses");
        check(&scenario, &generate(&scenario).expect("bodies")).expect("checks");
        (scenario.materials.len(), scenario.walls.len())
    });
    assert_eq!(counts.collect::<Vec<_>>(), [(2, 0), (1, 3), (2, 7)]);
}

#[test]
fn bodies_that_start_in_a_wall_are_told() {
    let wall = "[[wall]]\nkind = \"plane\"\nname = \"floor\"\npoint_m = [0, 0, -0.5]\nnormal = [0, 0, 1]\n";
    let scenario = parse(&format!("{GOOD}{wall}"), "edge.toml", &[]).expect("parses");
    let error = check(&scenario, &generate(&scenario).expect("bodies")).expect_err("accepted").to_string();
    assert!(error.contains("body 1 reaches 0.5 m into wall `floor`") || error.contains("body 0 reaches"), "{error}");
    let apart = wall.replace("-0.5", "-1.0");
    let scenario = parse(&format!("{GOOD}{apart}"), "edge.toml", &[]).expect("parses");
    check(&scenario, &generate(&scenario).expect("bodies")).expect("touching is no fault");
}

#[test]
fn blocks_removed_walls_and_regions_say_what_is_wrong_with_them() {
    let block = "[[wall]]\nkind = \"block\"\nmin_m = [-9, -9, -9]\nmax_m = [9, 9, -5]\n";
    let region = "[[region]]\nname = \"in\"\nmin_m = [-1, -1, -1]\nmax_m = [1, 1, 1]\n";
    let made = |text: &str| {
        let s = parse(text, "edge.toml", &[]).expect("parses");
        let bodies = generate(&s).expect("makes bodies");
        check(&s, &bodies).map(|_| s)
    };
    let s = made(&format!("{GOOD}{block}removed_at_s = 2.0\n{region}")).expect("good");
    assert_eq!((s.walls[0].removal_step(0.1), s.walls[0].removal_step(0.3)), (Some(20), Some(7)));
    // bodies at x = 0 and 9 m
    assert!(s.regions[0].holds(glam::DVec3::ZERO) && !s.regions[0].holds(glam::DVec3::ONE));
    one_fault(&format!("{GOOD}{block}removed_at_s = 0\n"), 17, &["removed_at_s", "not positive"]);
    one_fault(
        &format!("{GOOD}{block}velocity_m_s = [0, 0, 1]\n"),
        17,
        &["velocity_m_s", "belongs to kind = \"plate\""],
    );
    one_fault(&format!("{GOOD}{}", block.replace("-5]", "-9]")), 16, &["max_m", "above min_m"]);
    one_fault(&format!("{GOOD}{}", region.replace("[1, 1, 1]", "[1, -1, 1]")), 16, &["max_m", "above min_m"]);
    one_fault(&format!("{GOOD}{region}{region}"), 18, &["\"in\" is taken"]);
    let expect = "[expect.on_bodies_final]\nvalue = 1\ntolerance_absolute = 0.1\nsource = \"s\"\n";
    one_fault(&format!("{GOOD}{region}{expect}"), 17, &["unknown quantity", "in_bodies_final"]);
    made(&format!("{GOOD}{region}{}", expect.replace("on_", "in_"))).expect("good");
    let late = made(&format!("{GOOD}{block}removed_at_s = 10\n")).expect_err("accepted").to_string();
    assert!(late.contains("removed_at_s: 10 s is not before the end"), "{late}");
    let deep = made(&format!("{GOOD}{}", block.replace("-5]", "0.5]"))).expect_err("accepted").to_string();
    assert!(deep.contains("reaches 1.5 m into wall"), "{deep}");
    let cells = GOOD.replace(
        "generator = \"list\"",
        "generator = \"lattice\"\ncells = [2, 1, 2]\ncount = 5\ngrid_spacing_m = 3\nradius_m = 1",
    );
    let cells: String = cells.lines().filter(|l| !l.starts_with("body")).map(|l| format!("{l}\n")).collect();
    one_fault(&cells, 12, &["cells", "do not hold count = 5"]);
    let s = made(&cells.replace("count = 5", "count = 3")).expect("good");
    let heights: Vec<bool> = generate(&s).expect("bodies").position_m.iter().map(|p| p.z > 0.0).collect();
    assert_eq!(heights, [false, false, true]);
}

/// What `--set` gives an edge scenario: parsed, or what is said of it.
fn set(changes: &[&str]) -> Result<breccia::Scenario, String> {
    let text = format!("{GOOD}[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0, 0, -1]\n[output]\nframes = 2\n");
    let list: Vec<String> = changes.iter().map(|s| (*s).to_owned()).collect();
    parse(&text, "edge.toml", &list).map_err(|e| e.to_string())
}

/// A table in braces takes the place of one in a list, by its number and by its name.
#[test]
fn set_replaces_tables_of_lists() {
    let with = |change: &str| set(&[change]).unwrap_or_else(|e| panic!("{change}: {e}"));
    assert!(with("gravity.0={ kind = \"self\" }").has_self_gravity());
    let rock =
        "{ name = \"rock\", density_kg_m3 = 2000, speed_max_m_s = 1, restitution_normal = 0.9, friction_sliding = 0 }";
    for of in ["material.rock", "material.0"] {
        let s = with(&format!("{of}={rock}"));
        assert_eq!((s.materials[0].density_kg_m3, s.materials[0].number("restitution_normal")), (2000.0, Some(0.9)));
        let told = breccia::scenario::as_run::refuse_untold(&s);
        assert!(told.is_ok(), "{told:?}");
    }
    let refused = set(&["gravity.0=3"]).expect_err("a number");
    assert!(refused.contains("--set gravity.0: must be a table"), "{refused}");
}

/// Of items of lists, of the one point of many, and of keys of tables that take no entries.
#[test]
fn what_set_gives_is_named() {
    let refused = |change: &str, texts: &[&str]| {
        let told = set(&[change]).expect_err(change);
        assert_eq!(told.lines().count(), 1, "{told}");
        texts.iter().for_each(|text| assert!(told.contains(text), "{change}: {told}"));
    };
    refused("output.columns=['position', 'position']", &["--set output.columns.1: \"position\" is there twice"]);
    refused("run.foo=1", &["--set run.foo: unknown key; `run` has no such key or entry here"]);
    refused(
        "seed=9223372036854775808",
        &["--set seed: ", "is not a whole number of at least 0, up to 9223372036854775807"],
    );
    let turned =
        replaced("generator = \"list\"", "generator = \"list\"\nshape = { kind = \"box\", size_m = [1, 1, 1] }");
    let turned = turned.replacen("radius_m = 1.0 }, {", "turn_deg = [0, 300, 300] }, {", 1);
    let told = parse(&turned, "edge.toml", &[]).expect_err("turns").to_string();
    assert!(told.contains("turn_deg: is a rotation by 424.3 degrees; take whole turns off"), "{told}");
}

/// A word that a key has without being typed is changed like one that is: what went with it stays behind.
#[test]
fn set_replaces_words_that_nobody_typed() {
    let text = format!("{GOOD}[[region]]\nname = \"low\"\nmin_m = [-1, -1, -1]\nmax_m = [1, 1, 1]\n");
    let changes = ["region.low.kind=sphere", "region.low.radius_m=0.5"];
    let list = changes.map(str::to_owned);
    parse(&text, "edge.toml", &list).unwrap_or_else(|e| panic!("{e}"));
}

/// `check` warns of a contact area over which nothing acts. Beside a material with cohesion the area counts, by the mean of both.
#[test]
fn an_area_that_nothing_acts_over_is_told() {
    let told = |law: &str, more: &str| {
        let text = replaced("friction_sliding = 0.4", &format!("friction_sliding = 0.4\nshape_parameter = 0.5{more}"));
        let text = text.replacen("duration_s", &format!("contact_law = \"{law}\"\nduration_s"), 1);
        let s = parse(&text, "edge.toml", &[]).expect("parses");
        check(&s, &generate(&s).unwrap()).expect("taken").warnings.join("\n")
    };
    let ice = "\ncohesion_pa = 5\n[[material]]\nname = \"ice\"\ndensity_kg_m3 = 900.0\nspeed_max_m_s = 0.1\n\
               restitution_normal = 0.5\nfriction_sliding = 0.4\nshape_parameter = 0.5";
    for law in ["hysteretic", "linear_spring_dashpot"] {
        assert!(told(law, "").contains("material.rock.shape_parameter: has no effect"));
        let quiet = told(law, "\ncohesion_pa = 5");
        assert!(!quiet.contains("shape_parameter"), "{quiet}");
    }
    let text = replaced("friction_sliding = 0.4", &format!("friction_sliding = 0.4\nshape_parameter = 0.5{ice}"));
    let text = text.replacen("generator", "material = \"ice\"\ngenerator", 1);
    let text = text.replacen("cohesion_pa = 5\n", "", 1).replacen(
        "density_kg_m3 = 900.0",
        "density_kg_m3 = 900.0\ncohesion_pa = 5",
        1,
    );
    let text = text.replacen("duration_s", "contact_law = \"hysteretic\"\nduration_s", 1);
    let s = parse(&text, "edge.toml", &[]).expect("one of the two has cohesion");
    let quiet = check(&s, &generate(&s).unwrap()).expect("taken").warnings.join("\n");
    assert!(!quiet.contains("shape_parameter"), "{quiet}");
    // the friction of this law acts over no area
    assert!(told("hysteretic", "\nfriction_rolling = 0.1").contains("material.rock.shape_parameter: has no effect"));
    let twists = |sliding: f64| {
        let more = format!("friction_sliding = {sliding}\nfriction_twisting = 0.5\nshape_parameter = 0.5");
        let s = parse(&replaced("friction_sliding = 0.4", &more), "edge.toml", &[]).expect("parses");
        check(&s, &generate(&s).unwrap()).expect("taken").warnings.join("\n")
    };
    assert!(twists(0.0).contains("material.rock.friction_twisting: has no effect without sliding friction"));
    assert!(!twists(0.4).contains("friction_twisting"));
}

/// What stands in for a value that is wrong or missing is not judged: each typing error has one message.
#[test]
fn stand_ins_are_not_judged() {
    let lattice = "[[bodies]]\ngenerator = \"lattice\"\ncount = 8\ngrid_spacing_m = 0.25\nradius_m = \"5cm\"\n";
    let bodies = GOOD.split("[[bodies]]").next().expect("a head").to_owned() + lattice;
    one_fault(&bodies, 14, &["radius_m", "5cm"]);
    one_fault(&format!("{GOOD}[output]\nframe_times = \"logarithmic\"\n"), 13, &["first_frame_s", "is missing"]);
    one_fault(&format!("{GOOD}[output]\ncolumns = \"position\"\n"), 14, &["columns", "is not a list of strings"]);
    let stop = "duration_s = 10.0\nstop_when = { speed_below_m_s = 1e-3 }";
    one_fault(&replaced("duration_s = 10.0", stop), 4, &["for_s", "is missing"]);
    let unknown = set(&["run.method=''"]).expect_err("no method");
    assert!(!unknown.contains("time_step_s"), "{unknown}");
}
