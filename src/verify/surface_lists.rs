//! Lists of facets near bodies, and of bodies near facets, for the checks of `surface`.

use super::Tally;
use super::cloud::{CODE, random, uniform};
use super::facet_windows::{Windows, over_windows};
use super::grounds::{bodies, fill, ground, grounds, near, running, sized, surface_params};
use super::harness::{Harness, filled};
use super::invariants::Sound;
use crate::base::error::Result;
use crate::engine::gpu::parts::surface::SurfaceTables;
use crate::gpu::constants::OVERFLOW_FACETS;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::facet::{FacetMeeting, Listed, SurfaceFace};
use crate::gpu::elements::pair::WallResult;
use crate::gpu::elements::work::PairArgs;
use crate::gpu::layout::Params;
use crate::model::scenario::SurfaceLaw;
use rand::RngExt;

pub(super) fn lists(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds(SurfaceLaw::AreaWeighted) {
        let skin = 0.02;
        let cloud = bodies(&ground, 300, |k| [1e-4, -0.01, -0.03][k % 3], 2);
        t.case(format!("300 bodies, {} facets", ground.facets.len()));
        let [least, most] = [0.9999, 1.001].map(|part| near(&ground, &cloud, part * skin));
        let n = cloud.len();
        fill(h, &ground, &cloud)?;
        h.zeros("control", size_of::<Control>())?;
        let list = listed_by(h, n, &[SurfaceTables::new(&ground.tree, &CODE).faces])?;
        let offset: Vec<u32> = h.read("surface_offset")?;
        t.equal("row", &list[..=n], &vec![Listed::default(); n + 1]);
        for b in 0..n {
            let got = &list[n + 1..][offset[b] as usize..offset[b + 1] as usize];
            t.hold(sandwiched(b, got, &least[b], &most[b]));
        }
        let words = Control { overflow: OVERFLOW_FACETS, ..Control::default() };
        h.fill("control", &[words])?;
        let untouched = vec![filled::<Listed>(7); list.len()];
        h.fill("surface_list", &untouched)?;
        h.run_with("find_facets", cloud.groups(), "pass_constants", [1, 0, 0, 0])?;
        t.equal("list without room", &h.read::<Listed>("surface_list")?, &untouched);
    }
    Ok(())
}

/// Bodies of all sizes lie on small facets. The pass reports the smallest body with too many contacts, and a wide body gets none here.
pub(super) fn crowds(h: &mut Harness, t: &mut Tally) -> Result<()> {
    const MOST: usize = 512;
    let ground = ground(SurfaceLaw::AreaWeighted, 1.0, 90, 0.003);
    let cloud = sized(&ground, 70, 2.0, |_| 1e-4, 13);
    let facets = [0.9999, 1.001].map(|part| near(&ground, &cloud, part * 0.02));
    let radius = |b: &usize| cloud.bodies[*b].radius;
    let crowded: Vec<usize> = (0..cloud.len()).filter(|b| facets[0][*b].len() > MOST).collect();
    let least = crowded.iter().map(radius).fold(f32::MAX, f32::min);
    let doubts = (0..cloud.len()).any(|b| facets[0][b].len() <= MOST && facets[1][b].len() > MOST);
    t.hold(if crowded.len() > 5 && !doubts { Ok(()) } else { Err(format!("{} bodies are crowded", crowded.len())) });
    for wide_radius in [f32::MAX, least] {
        t.case(format!("70 bodies, {} crowded, wide from {wide_radius:e} L on", crowded.len()));
        fill(h, &ground, &cloud)?;
        h.uniform("params", &Params { wide_radius, ..surface_params(&ground, &cloud) })?;
        h.zeros("control", size_of::<Control>())?;
        h.zeros("surface_count", 4 * cloud.len())?;
        h.zeros("surface_offset", 4 * cloud.len() + 4)?;
        h.zeros("surface_list", size_of::<Listed>())?;
        h.run_with("find_facets", cloud.groups(), "pass_constants", [0; 4])?;
        let told = if wide_radius == f32::MAX { !least.to_bits() } else { 0 };
        t.equal("radius of the smallest", &[h.read_one::<Control>("control")?.wide_found], &[told]);
        for (b, count) in h.read::<u32>("surface_count")?.into_iter().enumerate() {
            let none = crowded.contains(&b) || radius(&b) >= wide_radius;
            let range = if none { 0..=0 } else { facets[0][b].len()..=facets[1][b].len() };
            t.hold(match range.contains(&(count as usize)) {
                true => Ok(()),
                false => Err(format!("facets of body {b}: {count}, not {range:?}")),
            });
        }
    }
    Ok(())
}

/// Lists and meetings of facets that lie in three windows equal those of one window.
pub(super) fn windows(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds(SurfaceLaw::ClosestFeature) {
        let cloud = bodies(&ground, 300, |k| [1e-4, -0.01, -0.03][k % 3], 2);
        t.case(format!("300 bodies, {} facets", ground.facets.len()));
        let (n, windows) = (cloud.len(), Windows::of(&ground));
        let whole = [SurfaceTables::new(&ground.tree, &CODE).faces];
        fill(h, &ground, &cloud)?;
        h.zeros("control", size_of::<Control>())?;
        let in_one = listed_by(h, n, &whole)?;
        let met = met_by(h, &in_one, n, &whole)?;
        h.fill("surface_node", &windows.nodes)?;
        h.zeros("control", size_of::<Control>())?;
        let list = listed_by(h, n, &windows.faces)?;
        t.equal("list", &windows.in_one(&list[n + 1..]), &in_one[n + 1..]);
        t.equal("meetings", &met_by(h, &list, n, &windows.faces)?, &met);
    }
    Ok(())
}

/// The list of facets near `n` bodies, of facets in these windows.
fn listed_by(h: &mut Harness, n: usize, windows: &[Vec<SurfaceFace>]) -> Result<Vec<Listed>> {
    let groups = (n as u32).div_ceil(64);
    h.zeros("surface_count", 4 * n)?;
    h.zeros("surface_offset", 4 * n + 4)?;
    h.zeros("surface_list", size_of::<Listed>() * (n + 1))?;
    over_windows(h, "find_facets", groups, 0, windows)?;
    let count: Vec<u32> = h.read("surface_count")?;
    let offset: Vec<u32> = (0..=n).map(|b| count[..b].iter().sum()).collect();
    h.fill("surface_offset", &offset)?;
    h.zeros("surface_list", size_of::<Listed>() * (n + 1 + offset[n] as usize))?;
    over_windows(h, "find_facets", groups, 1, windows)?;
    h.read("surface_list")
}

/// What `n` bodies meet at the facets of a list, which are in these windows.
fn met_by(h: &mut Harness, list: &[Listed], n: usize, windows: &[Vec<SurfaceFace>]) -> Result<Vec<FacetMeeting>> {
    let (mut list, facets) = (list.to_vec(), list.len() - n - 1);
    list[n].at = list.len() as u32;
    h.fill("surface_list", &list)?;
    h.fill("control", &[Control { listed_count: n as u32, ..running() }])?;
    h.fill("surface_meeting", &vec![filled::<FacetMeeting>(7); facets])?;
    over_windows(h, "meet_facets", (facets as u32).div_ceil(64), 0, windows)?;
    h.read("surface_meeting")
}

/// Rows of bodies that are near facets, or were in touch, and are not wide.
pub(super) fn rows(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, overflow) in [(1, 0), (64, 0), (300, 0), (300, 4)] {
        t.case(format!("{n} bodies, overflow {overflow}"));
        let mut random = random(n as u64);
        let cloud = uniform("", n, 10.0, (0.1, 0.4), 3);
        let params = Params { wall_count: 2, wide_radius: 0.35, ..cloud.params() };
        let narrow: Vec<bool> = cloud.bodies.iter().map(|b| b.radius < params.wide_radius).collect();
        let facets: Vec<u32> =
            narrow.iter().map(|narrow| if *narrow { random.random_range(0..6u32) / 2 } else { 0 }).collect();
        let touched: Vec<bool> = (0..n).map(|_| random.random_range(0..5) == 0).collect();
        let sums = |list: &[u32]| (0..=n).map(|b| list[..b].iter().sum()).collect::<Vec<u32>>();
        let offset = sums(&facets);
        h.uniform("params", &params)?;
        h.fill("body_view", &cloud.view())?;
        h.fill("surface_offset", &offset)?;
        let result = |b: usize| WallResult { overlap: if touched[b] { 1e-6 } else { 0.0 }, ..WallResult::default() };
        let of_walls = vec![filled::<WallResult>(1f32.to_bits()); 2 * n];
        h.fill("wall_result", &[of_walls, (0..n).map(result).collect()].concat())?;
        h.zeros("ground_mark", 4 * n)?;
        h.run("mark_ground", cloud.groups())?;
        let mark: Vec<u32> = (0..n).map(|b| u32::from(narrow[b] && (facets[b] > 0 || touched[b]))).collect();
        t.equal("mark", &h.read::<u32>("ground_mark")?, &mark);
        let mut wanted: Vec<Listed> = vec![filled(7); n + 1];
        let mut words = Control { overflow, listed_count: 9, ..Control::default() };
        let untouched = PairArgs { x: 8, y: 8, z: 8, pad: 8 };
        let mut args = [untouched; 2];
        h.fill("ground_offset", &sums(&mark))?;
        h.fill("surface_list", &wanted)?;
        h.fill("control", &[words])?;
        h.fill("ground_args", &[untouched])?;
        h.fill("facet_args", &[untouched])?;
        h.run("list_ground", cloud.groups())?;
        if overflow == 0 {
            let of = |b: usize| Listed { body: b as u32, at: n as u32 + 1 + offset[b] };
            let ground: Vec<Listed> = (0..n).filter(|b| mark[*b] == 1).map(of).collect();
            wanted[..ground.len()].copy_from_slice(&ground);
            wanted[ground.len()] = Listed { body: 0, at: n as u32 + 1 + offset[n] };
            words.listed_count = ground.len() as u32;
            args = [words.listed_count, offset[n]].map(|k| PairArgs { x: k.div_ceil(64).max(1), y: 1, z: 1, pad: 8 });
        }
        t.equal("row", &h.read::<Listed>("surface_list")?, &wanted);
        t.equal("control", &h.read::<Control>("control")?, &[words]);
        t.equal("arguments", &[h.read_one::<PairArgs>("ground_args")?, h.read_one("facet_args")?], &args);
    }
    Ok(())
}

/// All of `least`, nothing beyond `most`, ascending.
pub(super) fn sandwiched(body: usize, listed: &[Listed], least: &[u32], most: &[u32]) -> Sound {
    let got: Vec<u32> = listed.iter().map(|l| l.at).collect();
    let sound = listed.iter().all(|l| l.body as usize == body)
        && got.is_sorted_by(|a, b| a < b)
        && least.iter().all(|f| got.binary_search(f).is_ok())
        && got.iter().all(|f| most.binary_search(f).is_ok());
    if sound { Ok(()) } else { Err(format!("facets of body {body}: {got:?}, not {least:?}")) }
}
