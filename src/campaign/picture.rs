//! `[[picture]]`: which frames of which cases are shown, from where, and how their panels are arranged.

use super::analysis::Analysis;
use super::cell::Cell;
use super::check::latest_s;
use super::known::Known;
use super::model::{Case, Factor, Instants, Picture, Scale, Shows};
use super::plot::{conditions_on, tail};
use super::varied::Varied;
use crate::analysis::velocity::Plane;
use crate::base::fault::Fault;
use crate::base::quantity::Dimension as D;
use crate::base::readable::quantity;
use crate::base::reader::key::{Key, Kind, Word};
use crate::base::reader::{Table, nearest};
use crate::model::scenario::Scenario;
use crate::render::camera::Camera;
use crate::render::picture::SIDE;
use crate::render::scene::Quantity;
use crate::render::viewpoint::{USUAL, Viewpoint};
use glam::DVec3;

/// Panels of a sheet, at most: more cannot be seen on a page.
pub const PANELS_MAX: usize = 100;
/// Pixels of all panels, at most: 400 MB.
const PIXELS_MAX: u64 = 100_000_000;

/// Keys of `[[picture]]`.
pub(super) const KEYS: &[Key] = &[
    Key::name("name").required().says("name of the file").eg("\"fig13\""),
    Key::text("title").without("empty").says("text above the panels").eg("\"1,000 N\""),
    Key::with_kind("where", Kind::Settings)
        .without("all cases")
        .says("columns that vary, or `case`, and their values; the first case that has them is shown")
        .eg("{ cohesion = \"1000 N\" }"),
    Key::text("each").says("column that varies; of each of its values the first case is shown").eg("\"cohesion\""),
    Key::with_kind("labels", Kind::Texts)
        .without("the values")
        .says("what captions call the values of `each`, in their order")
        .eg("[\"1 N\", \"1,000 N\"]"),
    Key::either("times_s", &[Kind::Numbers(D::Time), Kind::Choice(ENDS)])
        .without("\"last\"")
        .says("instants of the run, of each the nearest frame; or \"first\" or \"last\"")
        .eg("[\"160 min\", \"320 min\"]"),
    Key::number("time_zero_s", D::Time).or(0.0).says("instant from which captions count").eg("\"150 min\""),
    Key::choice("time_unit", UNITS).without("by the latest instant").says("unit of times in captions").eg("\"min\""),
    Key::choice("show", SHOWN).or_word("bodies").says("what panels show").eg("\"velocity\""),
    Key::with_kind("views", Kind::Texts)
        .without("\"1,-2,0.9\"; velocity: \"0,0,1\"")
        .says("directions to the eye; on an asteroid also grains, or grains:X,Y,Z")
        .eg("[\"0,0,1\", \"1,0,0\"]"),
    Key::choice("across", FACTORS)
        .without("the first that has several of times, each, views")
        .says("what is side by side; the others are below each other")
        .eg("\"views\""),
    Key::count("columns", 1, PANELS_MAX as u64)
        .without("all")
        .says("panels side by side, where there is one row of them; the others follow below")
        .eg("3"),
    Key::choice("scale", SCALES).or_word("sheet").says("panels that have one scale of length").eg("\"row\""),
    Key::positive("width_m", D::Length)
        .without("all bodies fit")
        .says("width of the field that each panel shows, in place of a scale by what there is")
        .eg("\"200 m\""),
    Key::count("size", *SIDE.start() as u64, *SIDE.end() as u64)
        .or_count(480)
        .says("side of a panel (pixels)")
        .eg("800"),
];

const ENDS: &[Word] = &[Word::new("first", "the first frame"), Word::new("last", "the last frame")];

const UNITS: &[Word] =
    &[Word::new("s", "seconds"), Word::new("min", "minutes"), Word::new("h", "hours"), Word::new("d", "days")];

const SHOWN: &[Word] = &[
    Word::with(
        "bodies",
        "the bodies, as `breccia render` draws them",
        &[Key::text("color")
            .without("\"speed\"")
            .says("quantity that colours them, as `breccia render --color`; one scale for all panels")
            .eg("\"radius\"")],
    ),
    Word::new("velocity", "the velocity field, as `breccia analyze RUN velocity`, of the bodies in the panel"),
];

const FACTORS: &[Word] = &[
    Word::new("times", "instants are side by side"),
    Word::new("each", "values of `each` are side by side"),
    Word::new("views", "views are side by side"),
];

const SCALES: &[Word] = &[
    Word::new("sheet", "all panels of the sheet"),
    Word::new("row", "the panels of a row"),
    Word::new("panel", "each panel has its own"),
];

/// Reads all pictures.
pub(super) fn read(root: &Table, known: &Known, varied: &Varied) -> Vec<Picture> {
    root.tables("picture").iter().map(|t| picture(t, known, varied)).collect()
}

fn picture(t: &Table, known: &Known, varied: &Varied) -> Picture {
    let shows_velocity = t.choice("show") == "velocity";
    let views = views(t, if shows_velocity { "0,0,1" } else { USUAL });
    let (cases, times) = (cases(t, known, varied), instants(t));
    let shows = if shows_velocity { Shows::Velocity(planes(t, &views)) } else { Shows::Bodies(colour(t)) };
    let counts = [(Factor::Times, times.count()), (Factor::Each, cases.len()), (Factor::Views, views.len())];
    let first = counts.iter().find(|(_, count)| *count > 1).map_or(Factor::Times, |(factor, _)| *factor);
    let across = match t.has("across").then(|| t.choice("across")) {
        None => first,
        Some("times") => Factor::Times,
        Some("each") => Factor::Each,
        Some(_) => Factor::Views,
    };
    let scale = match t.choice("scale") {
        "sheet" => Scale::Sheet,
        "row" => Scale::Row,
        _ => Scale::Panel,
    };
    let below = counts.iter().any(|(factor, count)| *factor != across && *count > 1);
    if t.has("columns") && below {
        t.fault("columns", "has no effect, since there are several rows", "remove it");
    }
    let picture = Picture {
        columns: t.count_if("columns").map(|n| n as usize),
        name: t.name("name").unwrap_or_default(),
        title: t.text("title").unwrap_or_default(),
        time_zero_s: t.value("time_zero_s"),
        time_unit: t.has("time_unit").then(|| unit(t.choice("time_unit"))),
        width_m: t.value_if("width_m"),
        size: t.count("size") as u32,
        cases,
        times,
        shows,
        views,
        across,
        scale,
    };
    if t.has("scale") && t.has("width_m") {
        t.fault("scale", "has no effect with width_m, which is the same for all panels", "remove one of the two");
    }
    let panels = counts.iter().map(|(_, count)| *count).fold(1, usize::saturating_mul);
    let pixels = (panels as u64).saturating_mul(u64::from(picture.size).pow(2));
    if panels > PANELS_MAX {
        t.fault("name", format!("has {panels} panels, more than {PANELS_MAX}"), "make several pictures of it");
    } else if pixels > PIXELS_MAX {
        let remedy = "make panels smaller, or make several pictures of it";
        t.fault("size", format!("{panels} panels have more than {PIXELS_MAX} pixels"), remedy);
    }
    t.close();
    picture
}

fn unit(word: &'static str) -> (&'static str, f64) {
    let length_s = match word {
        "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        _ => 86400.0,
    };
    (word, length_s)
}

fn instants(t: &Table) -> Instants {
    if t.text_if("times_s").is_some() {
        return if t.choice("times_s") == "first" { Instants::First } else { Instants::Last };
    }
    if !t.has("times_s") {
        return Instants::Last;
    }
    let list = t.numbers("times_s");
    if list.is_empty() {
        t.fault("times_s", "names no instant", "give one or more instants, \"first\" or \"last\"");
    }
    if let Some(at) = list.iter().find(|at| **at < 0.0) {
        t.fault("times_s", format!("{at} s is before the start of a run"), "type 0 or more");
    }
    Instants::At(list)
}

fn colour(t: &Table) -> Quantity {
    let name = t.text("color").unwrap_or_else(|| "speed".into());
    Quantity::parse(&name).unwrap_or_else(|_| {
        let names = Quantity::NAMES.into_iter().map(|(name, _)| name);
        t.fault("color", format!("unknown quantity \"{name}\""), nearest(&name, names));
        Quantity::Speed
    })
}

/// Views, and what captions call them.
fn views(t: &Table, usual: &str) -> Vec<(String, Viewpoint)> {
    let texts = t.texts("views").unwrap_or_else(|| vec![usual.to_owned()]);
    if texts.is_empty() {
        t.fault("views", "names no view", "give one direction or more, as in [\"0,0,1\"]");
    }
    let view = |text: &String| match Viewpoint::parse(text) {
        Some(view) if directed(view) => Some((called(view, text), view)),
        _ => {
            let remedy =
                "three numbers that are not all 0, as in \"1,-2,0.9\"; on an asteroid also grains, or grains:X,Y,Z";
            t.fault("views", format!("unknown view \"{text}\""), remedy);
            None
        }
    };
    texts.iter().filter_map(view).collect()
}

fn directed(view: Viewpoint) -> bool {
    match view {
        Viewpoint::Whole(from) | Viewpoint::Grains(Some(from)) => Camera::from_direction(from).is_ok(),
        Viewpoint::Grains(None) => true,
    }
}

/// Directions along an axis by its name.
fn called(view: Viewpoint, text: &str) -> String {
    let Viewpoint::Whole(from) = view else { return text.to_owned() };
    let axes = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];
    let along = |(name, axis): &(&str, DVec3)| {
        let part = from.normalize().dot(*axis);
        // a rounding error is no other direction
        (part.abs() > 1.0 - 1e-12).then(|| format!("from {}{name}", if part > 0.0 { '+' } else { '-' }))
    };
    axes.iter().find_map(along).unwrap_or_else(|| format!("from {text}"))
}

/// The planes of a velocity field, as they are seen from these sides.
fn planes(t: &Table, views: &[(String, Viewpoint)]) -> Vec<Plane> {
    let plane = |(name, _): &(String, Viewpoint)| match name.as_str() {
        "from +z" => Some(Plane::Xy),
        "from -y" => Some(Plane::Xz),
        "from +x" => Some(Plane::Yz),
        _ => {
            let remedy = "take \"0,0,1\" (the plane xy), \"0,-1,0\" (xz) or \"1,0,0\" (yz)";
            t.fault("views", format!("velocity has no plane that is seen {name}"), remedy);
            None
        }
    };
    views.iter().filter_map(plane).collect()
}

/// The cases of a picture, with what captions call them.
fn cases(t: &Table, known: &Known, varied: &Varied) -> Vec<(String, usize)> {
    let only = conditions_on(t, "where", |only, name| known.before(only, name, name));
    let each = t.text("each").map(|name| known.before(t, "each", &name));
    let fits = |case: &&Case| only.iter().all(|(name, value)| varied.value(case, name).as_ref() == Some(value));
    let mut list: Vec<(Cell, usize)> = vec![];
    for case in varied.cases.iter().filter(fits) {
        let value = each.as_ref().and_then(|name| varied.value(case, name)).unwrap_or(Cell::Empty);
        if list.len() <= PANELS_MAX && list.iter().all(|(known, _)| *known != value) {
            list.push((value, case.index));
        }
    }
    if list.is_empty() && !varied.cases.is_empty() {
        t.fault("where", "no case has these values", "`breccia sweep FILE --list` names the cases and their values");
    }
    let labels = t.texts("labels");
    if let Some(labels) = labels.as_ref().filter(|l| each.is_none() || l.len() != list.len()) {
        let values = if each.is_some() { list.len() } else { 0 };
        let what = format!("there are {} labels for {values} values of `each`", labels.len());
        t.fault("labels", what, "give a label for each value");
    }
    let column = each.as_deref().map_or("", tail);
    let name = |(k, (value, case)): (usize, &(Cell, usize))| {
        let shown = match value {
            Cell::Number(_) => format!("{column} = {}", value.shown()),
            Cell::Empty if each.is_some() => format!("{column} of the scenario"),
            _ => value.shown(),
        };
        (labels.as_ref().and_then(|l| l.get(k).cloned()).unwrap_or(shown), *case)
    };
    list.iter().enumerate().map(name).collect()
}

impl Picture {
    /// The fault of this picture if it shows a case: an instant, a view or a colour that the case has not.
    pub(super) fn fault(&self, case: usize, scenario: &Scenario, analysis: Option<&Analysis>) -> Option<Fault> {
        if !self.cases.iter().any(|c| c.1 == case) {
            return None;
        }
        let fault = |key: &str, what: String, remedy: &str| {
            Some(Fault::new(what).remedy(remedy).key(format!("picture.{}.{key}", self.name)))
        };
        if let Instants::At(list) = &self.times
            && let Some(late) = list.iter().find(|t| **t > latest_s(scenario))
        {
            let [late, end] = [*late, scenario.run.duration_s].map(|t| quantity(t, "s"));
            return fault("times_s", format!("{late} is after the end of the run, {end}"), "take an earlier instant");
        }
        if scenario.asteroid.is_none() && self.views.iter().any(|(_, view)| matches!(view, Viewpoint::Grains(_))) {
            return fault("views", "\"grains\" is a close-up of an asteroid".into(), "take another view");
        }
        let [what, remedy] = self.colour_fault(scenario, analysis)?;
        fault("color", what, &remedy)
    }

    /// What is wrong with the colour of the bodies in the frames of a case, and the way out.
    fn colour_fault(&self, scenario: &Scenario, analysis: Option<&Analysis>) -> Option<[String; 2]> {
        let told = |what: &str, remedy: &str| Some([what, remedy].map(str::to_owned));
        match &self.shows {
            Shows::Bodies(Quantity::Strain) if scenario.method.contact_dynamics().is_some() => {
                told("\"strain\" needs overlaps, and bodies of contact dynamics are rigid", "take another colour")
            }
            Shows::Bodies(Quantity::Strain) if !scenario.output.contacts => {
                told("\"strain\" needs contacts in the frames", "add [set] \"output.contacts\" = true")
            }
            _ => match self.unmeasured(scenario, analysis)? {
                ("track", part) => told(
                    "\"track\" is not measured in every frame",
                    &format!("add \"{part}\" to analysis.parts, and analysis.frames = \"all\""),
                ),
                (colour, part) => told(
                    &format!("\"{colour}\" is not measured in the frames that are shown"),
                    &format!("add \"{part}\" to analysis.parts, and the instants of the picture to analysis.at_s"),
                ),
            },
        }
    }

    /// A colour that no analysis measures in the frames that are shown, and the part that would.
    fn unmeasured(&self, scenario: &Scenario, analysis: Option<&Analysis>) -> Option<(&'static str, &'static str)> {
        let (colour, part) = match self.shows {
            Shows::Bodies(Quantity::Cluster) => ("cluster", "clusters"),
            Shows::Bodies(Quantity::Damage) => ("damage", "damage"),
            Shows::Bodies(Quantity::Track) => ("track", "clusters"),
            _ => return None,
        };
        let of_part = analysis.filter(|a| a.parts.iter().any(|p| p == part));
        // the last frame is always measured
        let at = |a: &Analysis, t: f64| t >= scenario.run.duration_s || a.at_s.contains(&t);
        let shown = |a: &Analysis| match &self.times {
            Instants::Last => true,
            Instants::First => at(a, 0.0),
            Instants::At(list) => list.iter().all(|t| at(a, *t)),
        };
        let is_measured = of_part.is_some_and(|a| a.every_frame || colour != "track" && shown(a));
        (!is_measured).then_some((colour, part))
    }
}
