//! Checks can fail: shaders with one edit each, and the checks of a pass that must notice it.

mod contact_dynamics;

use crate::common::gpu;
use crate::common::shaders::{built_in, edit, shaders};
use breccia::gpu::device::Gpu;
use breccia::gpu::pipeline::link::Sources;
use breccia::verify::families::checks;
use std::path::Path;

/// The pass whose checks must fail, the file edited, the old text, the new text.
type Damage = (&'static str, &'static str, &'static str, &'static str);

const BLOCKS: &[Damage] = &[
    ("scan_runs", "math/exclusive", "min(l & 7u, 7u)", "min(l & 7u, 6u)"),
    ("scan_runs", "math/exclusive", "min(l >> 3u, 7u)", "min(l >> 3u, 6u)"),
    ("scan_sums", "scan_sums", "i < count", "i <= count"),
    ("scan_sums", "math/saturating", "min(b, ~a)", "b"),
    ("integrate_bodies", "math/position", "rounding >> 12u", "1u << 19u"),
    ("integrate_bodies", "math/wide", "rounding >> (32u - down)", "1u << (down - 1u)"),
    ("integrate_bodies", "math/position", "(z << 24u)", "(x << 24u)"),
    ("apply_contacts", "math/position", "* WINDOW_UNIT + tail", "* WINDOW_UNIT"),
    ("scan_runs", "math/saturating", "min(b, ~a)", "b"),
    // a digit, a tile, a lane that is forgotten; the ranks of threads 32 to 63 without the lower half
    ("sort_count", "sort_count", "k < 4u", "k < 3u"),
    ("sort_sums", "sort_sums", "min(first + pass_constants.y,", "min(first + pass_constants.y - 1u,"),
    ("sort_offsets", "sort_offsets", "r < chunk", "r <= chunk"),
    ("sort_offsets", "sort_offsets", "all.x + all.y + all.z) +", "all.x + all.y) +"),
    ("sort_scatter", "blocks/sort_tile", "countOneBits(low) + countOneBits(high &", "countOneBits(high &"),
    ("sort_scatter_wide", "blocks/sort_tile", "next_index[digit] = index + 1u;", ""),
    ("sort_scatter_wide", "sort_scatter_wide", ">= 32u", "> 32u"),
    ("lbvh_link", "lbvh_link", "countLeadingZeros(u32(i ^ j))", "countLeadingZeros(u32(j))"),
    ("lbvh_keys", "math/morton", "& 0x3ffu", "& 0x1ffu"),
    ("lbvh_keys", "math/hilbert", "turned ^= turned >> 16u", "turned ^= turned >> 12u"),
    // a digit of a polynomial, a part of pi, a sign of a quarter
    ("evaluate_functions", "math/elementary", "3.3333331174e-1", "3.3334331174e-1"),
    ("evaluate_functions", "math/elementary", "8.3334519073e-3", "8.4334519073e-3"),
    ("evaluate_functions", "math/elementary", "1.81740078349e-1", "1.82740078349e-1"),
    ("evaluate_functions", "math/elementary", "1.99777106478e-1", "1.99877106478e-1"),
    ("evaluate_functions", "math/sine", "4.837512969970703125e-4", "4.83e-4"),
    ("evaluate_functions", "math/sine", "0.00833304971", "0.00833404971"),
    ("evaluate_functions", "math/sine", "2.62973941e-7", "2.7e-7"),
    ("evaluate_functions", "math/sine", "(quarter & 2) == 2", "quarter == 2"),
];

const BODIES: &[Damage] = &[
    // the quotient check: cells, or levels, that share a key
    ("note_neighbours", "neighbours/search", "elsewhere || entry_level", "entry_level"),
    ("note_neighbours", "neighbours/search", "elsewhere || entry_level(other) != level", "elsewhere"),
    // who looks where, who notes whom, how coarse a coarse position is
    ("note_neighbours", "note_neighbours", "range.first, entry + 1u", "range.first, entry"),
    ("note_neighbours", "note_neighbours", "if (own) {", "if (own && k > 0u) {"),
    ("note_neighbours", "neighbours/search", "back.y + span.y * back.z", "back.y + span.x * back.z"),
    ("note_neighbours", "neighbours/search", "let far = reach + 1u;", "let far = reach - 1u;"),
    ("list_neighbours", "list_neighbours", "row.a < wanted", "row.a <= wanted"),
    ("list_neighbours", "list_neighbours", "places < vec4<u32>(count)", "places < vec4<u32>(16u)"),
    ("find_neighbours", "find_neighbours", "<= ROW_MAX", "<= SORTED_MAX"),
    ("mark_cells", "mark_cells", "neighbour_count[e] = 0u;", "neighbour_count[e] = 1u;"),
    ("hash_cells", "neighbours/cells", "select(q, q - 1, q * b > a)", "q"),
    ("clear_room", "clear_room", "room_cell[slot] = 0u", "room_cell[slot] = 1u"),
    ("mark_room", "mark_room", "atomicOr(&room_cell[slot], ROOM_SHARED);", ""),
    ("mark_room", "mark_room", "level < ROOM_LEVELS;", "level < 1u;"),
    ("measure_room", "measure_room", "k != 13u && word_of", "k > 13u && word_of"),
    ("measure_room", "measure_room", "0.5 * (size", "(size"),
    ("measure_room", "measure_room", "& 7u) != 0u", "& 7u) > 3u"),
    // beyond its room, and what a body does in inertial space
    ("integrate_bodies", "neighbours/watch", "if (left > 1.1 * step)", "if (left > -1.0)"),
    ("integrate_in_frame", "integrate_in_frame", "0.5 * vec3<f32>(back", "vec3<f32>(back"),
    ("integrate_in_frame", "integrate_in_frame", "0.5, params.wall_count", "0.0, params.wall_count"),
    ("integrate_bodies", "neighbours/watch", "params.wall_count == 0u) > 0.0", "false) > 0.0"),
    ("integrate_bodies", "neighbours/watch", "dot(spin, spin) > 9.8696044", "dot(spin, spin) > 99.0"),
    (
        "link_pairs",
        "link_pairs",
        "incident_pair[e] = 2u * pair + select(1u, 0u, upper)",
        "incident_pair[e] = 2u * pair",
    ),
    // more lies around a body than loops take, and the pass tells nobody
    ("note_neighbours", "note_neighbours", " || left == 0u", ""),
    ("note_neighbours", "note_neighbours", "cells_left == 0u || ", ""),
    ("find_neighbours", "find_neighbours", " || left == 0u", ""),
    ("find_neighbours", "find_neighbours", "cells_left == 0u || ", ""),
    ("link_pairs", "link_pairs", "turns >= TURNS_MAX || cut_short(atomicLoad(&control.zero), turns)", "false"),
    // entries: of both bodies of a pair, marked where they end, and how many there may be of one
    ("find_neighbours", "find_neighbours", "level + FINER < own_level", "level + FINER < 0u"),
    ("note_neighbours", "note_neighbours", "k >= SORTED_MAX", "k > SORTED_MAX"),
    (
        "find_neighbours",
        "neighbours/search",
        "next.x > near.high.x);\n    next.x",
        "next.x >= near.high.x);\n    next.x",
    ),
    ("clear_entries", "clear_entries", "k >= entry_offset", "k > entry_offset"),
    ("bound_entries", "bound_entries", "last - below(b, b + 1u)", "last - first"),
    ("bound_entries", "bound_entries", "last - first > NEIGHBOURS_MAX", "last - first > NEIGHBOURS_MAX + 1u"),
    ("list_entries", "neighbours/entries", "(1u << bits) - 1u", "(1u << bits) - 2u"),
    ("mark_room", "mark_room", "k < PROBES_MAX", "k < 0u"),
    ("carry_history", "carry_history", "pair_history_prev[low]", "pair_history_prev[0]"),
    ("save_pairs", "save_pairs", "= pair_history[p]", "= pair_history[1]"),
    ("decide_work", "decide_work", "step >= atomicLoad", "step > atomicLoad"),
    ("decide_work", "decide_work", "s += 64u", "s += 128u"),
    ("integrate_bodies", "soft_sphere/side_load", "select(on_i, -on_i, second == 1u)", "on_i"),
    // a carry lost
    ("integrate_bodies", "math/wide", "a.y + b.y + select(0u, 1u, low < a.x)", "a.y + b.y"),
    // a pair's force on its second body
    ("gather_loads", "soft_sphere/side_load", "select(on_i, -on_i, second == 1u)", "on_i"),
    ("gather_loads", "gather_loads", "2u * (leg % 4u) + later", "2u * (leg % 4u)"),
    // Coriolis the wrong way round, the sign of a factor, half a unit, a carry between workgroups
    (
        "integrate_in_frame",
        "math/turning",
        "mul96(d.y, turn.z), mul96(d.z, -turn.y)",
        "mul96(d.z, turn.y), mul96(d.y, -turn.z)",
    ),
    ("integrate_in_frame", "math/wide96", "vec2<u32>(0u), a, factor < 0", "vec2<u32>(0u), a, factor > 0"),
    ("integrate_in_frame", "math/wide96", "let half = shift - 1u", "let half = shift"),
    ("integrate_in_frame", "soft_sphere/reaction", "clamp(29 - exponent, 28, 58)", "clamp(28 - exponent, 28, 58)"),
    ("integrate_in_frame", "integrate_in_frame", "fixed3(-(off", "fixed3((off"),
    ("integrate_in_frame", "soft_sphere/sum_reaction", "sum.y + select(0u, 1u, before + sum.x < before)", "sum.y"),
    ("apply_contacts", "math/position", "+ dot(fine, fine))", ")"),
    ("apply_contacts", "soft_sphere/losses_by_group", "losses_room[first + 3u][kind]", "0.0"),
    ("apply_contacts", "soft_sphere/losses_by_group", "k < 16u", "k < 15u"),
    ("apply_contacts", "soft_sphere/losses_by_group", "[p / 64u][l] +=", "[p / 64u][l] ="),
    ("apply_contacts", "soft_sphere/one_material", "contact_law[0]", "contact_law[1]"),
    ("apply_contacts", "soft_sphere/many_materials", "contact_law[row]", "contact_law[0]"),
    ("apply_contacts", "soft_sphere/losses_by_pair", "+= lost", "= vec4<f32>(lost.xyz, 0.0)"),
    ("apply_contacts", "apply_contacts", "s.before = history_of(p).overlap", "s.before = s.overlap"),
    ("apply_contacts", "laws/contact", "s.arm_j * lever - moment", "s.arm_j * lever + moment"),
    ("apply_contacts", "laws/contact", "turn.y * cross(n, spring)", "turn.y * cross(spring, n)"),
    ("apply_contacts", "laws/contact", "dot(s.spin_i + s.spin_j, n)", "dot(s.spin_i, n)"),
    ("apply_contacts", "apply_contacts", "min(radius_i, radius_j)", "radius_i"),
    ("apply_contacts", "apply_contacts", "min(radius_i, radius_j)", "radius_j"),
    ("apply_contacts", "math/raised", "length(RAISE * v)", "RAISE * length(v)"),
    ("apply_contacts", "laws/contact", "damping_sliding * slip, limit)", "damping_sliding * slip, 1.1 * limit)"),
    ("apply_contacts", "laws/hysteretic", "way >= 0.0", "way < 0.0"),
    ("apply_contacts", "laws/hysteretic", "(pull - load) * n", "-load * n"),
    ("apply_contacts", "laws/hysteretic", "s.arm_j * turn - moment", "s.arm_j * turn + moment"),
    ("apply_contacts", "laws/hysteretic", "radius_i / (radius_i + radius_j)", "radius_j / (radius_i + radius_j)"),
    // the end of a contact, its beginning
    ("apply_contacts", "laws/hysteretic", "(s.overlap - s.first.w);", "(-s.first.w);"),
    ("apply_contacts", "laws/hysteretic", "pull) * outside + pull", "pull) * 0.0 + pull"),
    ("apply_walls", "laws/hysteretic", "0.5 * (s.first.x + surplus) * way", "surplus * way"),
    ("find_facets", "find_facets", "(box.faces >> 3u) + k", "(box.faces >> 3u)"),
    ("find_facets", "neighbours/coarse", "64.01 * reach", "32.0 * reach"),
    ("find_wide_facets", "find_wide_facets", "(box.faces >> 3u) + f", "(box.faces >> 3u)"),
    ("find_facets", "find_facets", "atomicMax(&control.wide_found, ~bitcast<u32>(radius));", ""),
    ("find_facets", "find_facets", "radius >= params.wide_radius", "false"),
    // windows of facets: counts that do not go on, a window taken for another
    ("find_facets", "find_facets", "pass_constants.y == 0u", "true"),
    ("find_wide_facets", "find_wide_facets", "pass_constants.y == 0u", "true"),
    ("meet_facets", "surface/facet", "FACES * pass_constants.y", "FACES * pass_constants.x"),
    ("meet_facets", "surface/facet", "FACES * pass_constants.y", "FACES * min(pass_constants.y, 1u)"),
    // sums that leave half of the invocations out, a contact that opens next to one that is alike
    ("apply_wide_surface", "surface/lanes", "wide_sum[l] += wide_sum[l + half];", ""),
    (
        "apply_wide_surface",
        "apply_wide_surface",
        "facets > WIDE_LANES * WIDE_SHARE_MAX",
        "facets > WIDE_LANES * WIDE_SHARE_MAX + 1u",
    ),
    ("apply_wide_surface", "surface/area_weighted/wide_contacts", "known_from <= vec4", "known_from < vec4"),
    ("apply_wide_surface", "surface/closest_feature/wide_contacts", "taken |= 1u << k", "taken |= 0u << k"),
    // invocations with several facets of a body, pauses, faults, the rows of walls
    ("apply_wide_surface", "surface/area_weighted/wide_contacts", "l + WIDE_LANES * e", "l"),
    ("apply_wide_surface", "surface/closest_feature/wide_contacts", "l + WIDE_LANES * e", "l"),
    ("apply_wide_surface", "apply_wide_surface", "&& atomicLoad(&control.phase) != PHASE_PAUSED", ""),
    ("apply_wide_surface", "apply_wide_surface", "watch(b, radius);", ""),
    (
        "apply_surface",
        "surface/surface_touch",
        "wall_result[params.body_count * params.wall_count + b] =",
        "wall_result[b] =",
    ),
    // who is at the ground: those that left it, those that are wide; a row of the next body
    ("mark_ground", "mark_ground", "(near || touched)", "near"),
    ("mark_ground", "mark_ground", "< params.wide_radius", "< 2.0 * params.wide_radius"),
    ("list_ground", "list_ground", "Listed(b, head", "Listed(row, head"),
    ("list_ground", "list_ground", "args_over(facets)", "args_over(next)"),
    // a facet too many, the wrong rows
    ("meet_facets", "meet_facets", "control.phase == PHASE_PAUSED ||", "false ||"),
    ("meet_facets", "meet_facets", "surface_list[rows].at", "surface_list[0u].at"),
    ("apply_surface", "apply_surface", "let b = surface_list[k].body", "let b = k"),
    ("check_capacity", "check_capacity", "wide > params.wide_capacity", "wide > params.wide_capacity + 1u"),
    ("check_capacity", "check_capacity", "facets > params.surface_capacity", "facets > params.surface_capacity + 1u"),
    ("meet_facets", "surface/circle", "- arctan2(abs(inner), far)", ""),
    ("meet_facets", "surface/facet", "- dot(surface_face[row].rest, away)", ""),
    // what contacts read of a step: velocities and spins half a step further on; kicks, turns and places without a limit
    (
        "integrate_bodies",
        "integrate_bodies",
        "body_view[b].spin = spin + 0.5 * turning",
        "body_view[b].spin = spin + 0.6 * turning",
    ),
    ("integrate_bodies", "integrate_bodies", "let change = part * turning", "let change = turning"),
    ("integrate_bodies", "integrate_bodies", "abs(a) + abs(turning)", "abs(a)"),
    ("integrate_bodies", "integrate_bodies", "max(abs(spin), abs(change))", "abs(spin) * 0.1"),
    (
        "integrate_in_frame",
        "integrate_in_frame",
        "spin_now + 0.5 * body_load[b].turning",
        "spin_now + 0.6 * body_load[b].turning",
    ),
    ("integrate_in_frame", "integrate_in_frame", "shift_right64(change, 1u), share", "change, share"),
    ("integrate_in_frame", "integrate_in_frame", "const KICK_MAX: f32 = 4.0", "const KICK_MAX: f32 = 1.0e9"),
    ("integrate_in_frame", "integrate_in_frame", "watch_range(b, at.x, at.y, at.z);", ""),
    ("integrate_in_frame", "integrate_in_frame", "watch_turn(b, max(abs(spin_now), abs(change)));", ""),
    ("integrate_in_frame", "integrate_in_frame", "&& atomicLoad(&control.fault_contact) == 0u", ""),
    // a centre behind a facet
    (
        "apply_surface",
        "surface/area_weighted/contacts",
        "foot_depth = max(foot_depth, surface_meeting[first + e].overlap)",
        "foot_depth = max(foot_depth, select(0.0, surface_meeting[first + e].overlap, surface_meeting[first + e].share >= 0.0))",
    ),
    // more than 64 bits of a wall's way
    ("apply_walls", "math/wide96", "high.y - select", "0u * high.y - select"),
    (
        "meet_facets",
        "surface/facet",
        "vec2<u32>(surface_face[row].over_low, surface_face[row].over_high)",
        "vec2<u32>(0u, 0u)",
    ),
    ("apply_surface", "surface/closest_feature/left", "+ behind(m, a, radius)", ""),
    ("apply_surface", "surface/closest_feature/left", "near * near + (1.0 - near * near) * away", "1.0"),
    ("apply_surface", "surface/closest_feature/contacts", "taken |= 1u << k", "taken |= 0u << k"),
    ("apply_surface", "surface/closest_feature/left", "kept * left / m.w", "kept"),
    ("apply_surface", "surface/area_weighted/contacts", "select(known, m.towards, fresh)", "known"),
    ("meet_facets", "surface/closest_feature/meeting", "m.towards", "f.normal"),
    ("apply_surface", "surface/surface_touch", "(weight_before - weight)", "weight_before"),
    ("apply_surface", "surface/surface_touch", "last.w - now.w", "now.w - last.w"),
    // losses of earlier steps forgotten
    ("apply_surface", "surface/surface_touch", "energy += lost", "energy = lost"),
    ("apply_wide_surface", "surface/surface_touch", "energy += lost", "energy = lost"),
    ("apply_walls", "apply_walls", "energy += select", "energy = select"),
    (
        "apply_walls",
        "laws/linear_spring_dashpot",
        "0.5 * vec3<f32>(law.stiffness_sliding",
        "0.6 * vec3<f32>(law.stiffness_sliding",
    ),
    // edges taken for faces, the wrong side of a block, walls that stay a step longer or take no energy along
    ("apply_walls", "walls/wall_touch", "select(round.gap, most, faces < 2u)", "most"),
    ("apply_walls", "walls/wall_touch", "select(1.0, -1.0, below)", "1.0"),
    ("apply_walls", "walls/wall", "step < wall_plane", "step <= wall_plane"),
    ("apply_walls", "apply_walls", "-normal_part - dot", "-dot"),
    ("apply_walls", "laws/hertz_mindlin", "0.4 * force * overlap", "0.5 * force * overlap"),
    ("apply_walls", "laws/hysteretic", "(0.5 * elastic - pull)", "(0.5 * elastic)"),
    ("detect_walls", "detect_walls", "&& wall_stands(plane, control.step)", ""),
    ("find_wall_manifolds", "find_wall_manifolds", "&& wall_stands(plane, control.step)", ""),
    ("make_wall_contacts", "walls/wall_touch", "vec3<f32>(x.side, y.side, z.side)", "vec3<f32>(1.0)"),
];

const GRAVITY: &[Damage] = &[
    ("place_sources", "place_sources", "(1u << kept) - 1u", "(1u << kept) - 2u"),
    ("sum_direct", "sum_direct", "FINE: u32 = 18u", "FINE: u32 = 40u"),
    ("sum_direct", "gravity/tile", "source < count)", "source + 1u < count)"),
    ("add_central", "gravity/gravity", "mul96_count(velocity, steps), 21u", "mul96_count(velocity, steps), 20u"),
    ("add_central", "add_central", "1.5 * far_square", "1.4 * far_square"),
    ("add_central", "add_central", "max(square, radius * radius)", "square"),
    ("sum_blocks", "gravity/multipole", "+ g.mass * d.xxy * d.yzz", ""),
    ("merge_blocks", "gravity/multipole", "+ unpack_rest(part.rest)", ""),
    ("gather_nodes", "gather_nodes", "3.0 * m.cross", "2.0 * m.cross"),
    ("bound_groups", "gravity/multipole", "GROUP: u32 = 32u", "GROUP: u32 = 16u"),
    // squares below the smallest number of f32
    (
        "measure_pull",
        "measure_pull",
        "length(body_gravity[b].acceleration / gravity_params.gravity_constant)",
        "length(body_gravity[b].acceleration) / gravity_params.gravity_constant",
    ),
    ("bound_groups", "bound_groups", "body_self_pull[tree_index[k]]", "body_self_pull[tree_index[first]]"),
    ("bound_groups", "bound_groups", "tree_source[k].mass * vec2", "vec2"),
    ("walk_tree", "gravity/multipole", "REACH_MAX: f32 = 0.7", "REACH_MAX: f32 = 1.0"),
    ("walk_tree", "gravity/lists", "2.5 * quu", "1.5 * quu"),
    ("walk_tree", "gravity/list_sums", "unpack_rest(centre.w)", "vec3<f32>(0.0)"),
    ("walk_tree", "walk_tree", "before.z + (sum >> 16u)", "before.z + (sum >> 17u)"),
    ("walk_tree", "walk_tree", "let right = (left & ~LEAF) + 1u", "let right = (left & ~LEAF) + 0u"),
    ("walk_tree", "walk_tree", "bitcast<vec4<u32>>(field[3])", "bitcast<vec4<u32>>(field[2])"),
    ("walk_tree", "walk_tree", "seen.x & (below << 8u)", "seen.x & (below << 7u)"),
    ("walk_tree", "walk_tree", "(packed >> 4u) & 0x0f0f0f0fu", "(packed >> 4u) & 0x0f0f0f07u"),
    ("sum_faces", "gravity/faces", "0.13239415 * middles", "0.1324 * middles"),
    ("sum_faces", "gravity/faces", "ratio < 0.5)", "ratio < 2.0)"),
    ("sum_faces", "gravity/faces", "    - height * angle", ""),
    // far away the charges cancel
    ("sum_faces", "gravity/faces", "REMOTE_FROM: f32 = 2.0", "REMOTE_FROM: f32 = 2.0e3"),
    ("sum_faces", "math/elementary", "select(angle, 3.1415927 - angle, x < 0.0)", "angle"),
    ("sum_faces", "math/elementary", "0.693359375 * e", "0.6933 * e"),
    ("sum_faces", "gravity/ahead", "gravity_params.predict_steps", "0u"),
    ("sum_faces", "gravity/face_tile", "min(end - first, 64u)", "64u"),
    ("sum_faces", "sum_faces", "% asteroid_params.slice_count", "% 1u"),
    ("sum_faces", "sum_faces", "total += run", "total = run"),
    ("walk_faces", "walk_faces", "u.xxy * u.yzz", "u.xxy * u.zzz"),
    ("walk_faces", "walk_faces", "< strictness * square * square", "< strictness * square"),
    ("walk_faces", "gravity/multipole", "REACH_MAX: f32 = 0.7", "REACH_MAX: f32 = 0.9"),
    ("walk_faces", "walk_faces", "near = count;", "near = min(count, 3u);"),
    ("add_faces", "add_faces", "slice * count + b", "b"),
    ("add_faces", "add_faces", "pass_constants.x == 1u", "pass_constants.x == 2u"),
    ("sum_imbalance", "sum_imbalance", "cross(arm, force)", "cross(force, arm)"),
    ("sum_imbalance", "sum_imbalance", "body.xyz - middle.xyz", "body.xyz"),
    ("solve_imbalance", "solve_imbalance", "cross(arm, partial[0].xyz)", "vec3<f32>(0.0)"),
    ("solve_imbalance", "solve_imbalance", "select(0.0, LINE, line)", "0.0"),
    ("balance_gravity", "balance_gravity", "field - vec4<f32>(excess, 0.0)", "field"),
    ("balance_gravity", "balance_gravity", "- tree_balance.middle", ""),
];

/// Of modules in the form for software devices.
const ON_CPU: &[Damage] = &[
    ("sum_direct", "gravity/tile_on_cpu", "subgroupBroadcast(own, 7u)", "subgroupBroadcast(own, 6u)"),
    ("sum_direct", "gravity/tile_on_cpu", "source < count)", "source + 1u < count)"),
    ("sum_direct", "gravity/tile_on_cpu", "b, subgroupBroadcast(rest, 1u)", "b, subgroupBroadcast(rest, 0u)"),
    ("walk_tree", "gravity/list_sums_on_cpu", "subgroupShuffle(cross, lane)", "cross"),
    ("walk_tree", "gravity/list_sums_on_cpu", "entry < count)", "true)"),
    ("apply_contacts", "soft_sphere/contact_rows_on_cpu", "low(m.z), high(m.z)", "high(m.z), low(m.z)"),
    (
        "apply_contacts",
        "soft_sphere/contact_rows_on_cpu",
        "view.material_and_tail = high",
        "view.material_and_tail = low",
    ),
    ("apply_contacts", "soft_sphere/contact_rows_on_cpu", "(m.second.z, m.overlap)", "(m.second.y, m.overlap)"),
    ("apply_contacts", "soft_sphere/keep_result_on_cpu", "beside = (l & 7u) ^ 1u", "beside = l & 7u"),
    ("apply_contacts", "soft_sphere/keep_result_on_cpu", "met != met_beside", "false"),
    ("apply_contacts", "soft_sphere/keep_result_on_cpu", "low(both), met)", "low(both), true)"),
    ("apply_contacts", "soft_sphere/keep_result_on_cpu", "high(both), met_beside)", "high(both), met)"),
    ("apply_contacts", "soft_sphere/losses_by_pair_on_cpu", "^ 4u", "^ 2u"),
    ("apply_contacts", "soft_sphere/losses_by_pair_on_cpu", "high_f32(turning) + eight.w", "eight.w"),
    ("integrate_bodies", "soft_sphere/state_row_on_cpu", "doublet(value.x, value.y)", "doublet(value.x, 0u)"),
    ("integrate_bodies", "soft_sphere/side_load_on_cpu", "(word & 1u) == 1u", "false"),
    ("gather_loads", "soft_sphere/side_load_on_cpu", "3u + 3u * second", "3u"),
    ("gather_loads", "math/doublet", "word >> 32u", "word >> 31u"),
    ("sum_faces", "gravity/face_tile_on_cpu", "min(end - start, 8u)", "8u"),
    ("sum_faces", "gravity/face_tile_on_cpu", "start + (l & 7u)", "start + (l & 3u)"),
];

const PICTURES: &[Damage] = &[
    // the second dimension of workgroups
    ("render_clear", "math/dispatch", "workgroup.y * GROUPS_MAX + workgroup.x", "workgroup.x"),
    ("render_nearest", "state/view", "- 1.0) * view.half_width", "- 0.98) * view.half_width"),
    ("render_nearest", "math/solid", "leave = min(leave, at)", "leave = max(leave, at)"),
    ("render_owner", "math/solid", "enter = max(enter, at)", "enter = at"),
    ("render_owner", "render_owner", "t <= depth[at]", "t <= 1.1 * depth[at]"),
    ("render_shade", "render/light", "- 0.12", "- 0.1"),
    ("render_shade", "render_shade", "at + 0.35 * radius", "at"),
    ("render_shade", "math/solid", "p.normal, at > enter", "p.normal, true"),
    ("render_shade", "render_shade", "lift = 1.5 *", "lift = 20.0 *"),
    ("render_shade", "render/light", "&& any(q != pixel)", ""),
    ("render_facets", "render/facet_hit", "select(area, -area, swap)", "area"),
    ("render_facets", "render/facet_hit", "part.z * (along.z - along.x)", "part.y * (along.z - along.x)"),
    ("render_facets", "render_facets", "view.facet_patch_count", "view.facet_patch_count / 2u"),
    ("render_facet_owner", "render_facet_owner", "t <= depth[at] * 1.000002", "t <= depth[at] * 1.1"),
    ("render_facet_owner", "render_facet_owner", "view.body_count + p.facet", "p.facet"),
    (
        "render_facet_shade",
        "render_facet_shade",
        "normalize(cross(vertex[f.corners.y].position - a",
        "-normalize(cross(vertex[f.corners.y].position - a",
    ),
    ("render_facet_shade", "render_facet_shade", "own >= view.body_count &&", "own > 0u &&"),
    ("render_facet_shade", "render/light", "out.z) + 0.010 * sun", "out.z)"),
    ("render_facet_shade", "render/light", "outside ||", ""),
    ("render_resolve", "render_resolve", "sample.rgb * sample.rgb", "sample.rgb"),
];

/// True if a check of the pass fails. Shaders that do not compile, or a device that gives up, would prove nothing.
fn noticed(gpu: &Gpu, folder: &Path, (pass, file, old, new): Damage) -> bool {
    edit(folder, file, old, new);
    let sources = Sources { directory: Some(folder.to_owned()), ..Default::default() };
    let of_pass = checks().filter(|c| c.passes.contains(&pass));
    let failed = of_pass.map(|c| c.run(gpu, &sources).expect("runs")).any(|m| !m.passed);
    let name = format!("{}.wgsl", Sources::default().file_of(file));
    std::fs::copy(built_in().join(&name), folder.join(&name)).expect("copy");
    failed
}

fn all_are_noticed(damages: &[Damage]) {
    let (gpu, folder) = (gpu(), shaders());
    let missed: Vec<_> = damages.iter().filter(|d| !noticed(&gpu, folder.path(), **d)).collect();
    assert!(missed.is_empty(), "no check fails with\n{missed:#?}");
}

/// Shaders hold the texts that nightly tests damage. Every run tells which of them a change has removed.
#[test]
fn what_is_damaged_is_there() {
    let folder = shaders();
    let all = [BLOCKS, BODIES, GRAVITY, ON_CPU, PICTURES, contact_dynamics::DAMAGES];
    all.into_iter().flatten().for_each(|(_, file, old, _)| edit(folder.path(), file, old, old));
}

#[test]
fn damage_to_blocks_is_noticed() {
    all_are_noticed(BLOCKS);
}

#[test]
#[ignore = "nightly: one to three minutes of a core"]
fn damage_to_the_step_is_noticed() {
    all_are_noticed(BODIES);
}

#[test]
fn damage_to_gravity_is_noticed() {
    all_are_noticed(GRAVITY);
}

/// GPUs never run them.
#[test]
fn damage_to_forms_on_cpu_is_noticed() {
    if !gpu().cpu_forms {
        eprintln!("SKIPPED: this device takes no forms for software devices");
        return;
    }
    all_are_noticed(ON_CPU);
}

#[test]
#[ignore = "nightly: one to three minutes of a core"]
fn damage_to_contact_dynamics_is_noticed() {
    all_are_noticed(contact_dynamics::DAMAGES);
}

#[test]
fn damage_to_pictures_is_noticed() {
    all_are_noticed(PICTURES);
}
