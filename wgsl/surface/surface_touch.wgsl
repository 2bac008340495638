import package::state::params::{Params};
import package::state::control::{FAULT_OVERLAP, FAULT_OVERSPEED, FAULT_SURFACE};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyState, BodyView};
import package::math::position::{MOTION_UNIT, DISPLACEMENT_UNIT, material_of};
import package::math::wide::{f32_from64};
import package::surface::footprint::{SLOTS, foot_depth, kept_contact, kept_weight};
import package::surface::circle::{FADE};
import package::laws::contact::{ContactState};
import package::state::facet::{SurfaceTouch};
import package::state::pair::{WallResult};
import package::law::{Law, contact_force, held_energy, normal_spring};

// Force and torque of the contacts that a footprint has, by the law of the pairs: the surface is a body at rest, of infinite
// mass and radius.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_state: array<BodyState>;
var<storage, read> body_view: array<BodyView>;
var<storage, read> contact_law: array<Law>;
var<storage, read_write> surface_touch: array<SurfaceTouch>; // SLOTS a body
var<storage, read_write> wall_result: array<WallResult>; // that of the surface is behind those of the walls

// Way of a body in the step that ended here [L].
fn moved(body: u32) -> vec3<f32> {
    return vec3<f32>(
        f32_from64(body_state[body].velocity.x),
        f32_from64(body_state[body].velocity.y),
        f32_from64(body_state[body].velocity.z),
    ) * DISPLACEMENT_UNIT;
}

// Force and stored energy of the normal spring and of cohesion.
fn elastic(law: Law, radius: f32, weight: f32, normal: vec3<f32>, overlap: f32) -> vec4<f32> {
    let spring = normal_spring(law, radius, overlap);
    return weight * vec4<f32>(spring.x * normal, spring.y);
}

// One contact of this normal, overlap and weight: writes what it keeps, gives force and torque.
fn touch(body: u32, at: u32, radius: f32, contact: vec4<f32>, weight: f32) -> array<vec3<f32>, 2> {
    // read for each contact: held from one to the next it costs registers
    let law = contact_law[material_of(body_view[body].material_and_tail) * params.material_count + params.surface_material + atomicLoad(&control.zero)];
    let weight_before = surface_touch[at].weight;
    let overlap_before = surface_touch[at].overlap;
    var s: ContactState;
    s.normal = -contact.xyz;
    s.overlap = contact.w;
    s.velocity = -vec3<f32>(bitcast<vec3<i32>>(body_view[body].velocity)) * MOTION_UNIT;
    s.arm_i = radius - s.overlap;
    s.arm_j = 1.0e10;
    s.spin_i = body_view[body].spin;
    s.mass = 1.0 / body_view[body].inverse_mass;
    s.radius = radius;
    s.first = surface_touch[at].first;
    s.second = surface_touch[at].second;
    s.before = select(0.0, overlap_before, weight_before > 0.0);
    // Springs of which more or fewer count than before hold more or less; a contact that has ended forgets them.
    let held = (weight_before - weight) * held_energy(law, s);
    // Elastic forces whose weights change have no potential: what is stored less, and did no work.
    let last = elastic(law, radius, weight_before, surface_touch[at].normal, overlap_before);
    let now = elastic(law, radius, weight, contact.xyz, s.overlap);
    let goes_on = weight_before > 0.0 && weight > 0.0;
    let strayed = select(0.0, last.w - now.w - 0.5 * dot(last.xyz + now.xyz, moved(body)), goes_on);
    // last, since its result is long
    let r = contact_force(law, s);
    let there = weight > 0.0;
    let none = vec4<f32>(0.0);
    let lost = held + select(none, weight * r.dissipated, there) + vec4<f32>(strayed, 0.0, 0.0, 0.0);
    let force = select(none.xyz, weight * r.force, there);
    let torque = select(none.xyz, weight * r.torque_i, there);
    // the same row, but compilers do not know it, and hold no address meanwhile
    let row = at + atomicLoad(&control.zero);
    surface_touch[row].first = select(none, r.first, there);
    surface_touch[row].second = select(none.xyz, r.second, there);
    surface_touch[row].weight = select(0.0, weight, there);
    surface_touch[row].normal = select(none.xyz, contact.xyz, there);
    surface_touch[row].overlap = select(0.0, s.overlap, there);
    surface_touch[row].force = force;
    surface_touch[row].torque = torque;
    surface_touch[row].energy += lost;
    return array<vec3<f32>, 2>(force, torque);
}

// Ends the run where a body is too deep, or moves so far in a step that it might pass the surface unseen.
fn watch(b: u32, radius: f32) {
    let sunk = foot_depth > FADE * radius;
    let way = moved(b);
    if (sunk || foot_depth > params.overlap_max * radius) {
        atomicOr(&control.fault_contact, select(FAULT_OVERLAP, FAULT_SURFACE, sunk));
        atomicMin(&control.fault_index, b);
    }
    if (dot(way, way) > FADE * FADE * radius * radius) {
        atomicOr(&control.fault_contact, FAULT_OVERSPEED);
        atomicMin(&control.fault_index, b);
    }
}

// All contacts of a body that invocation `l`, below 64, has kept: their sum goes behind the rows of the walls.
fn touch_all(b: u32, radius: f32, l: u32) {
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    for (var k = 0u; k < SLOTS; k++) {
        let at = SLOTS * b + k;
        let weight = kept_weight(l, k);
        if (weight > 0.0 || surface_touch[at].weight > 0.0) {
            let part = touch(b, at, radius, kept_contact(l, k), weight);
            force += part[0];
            torque += part[1];
        }
    }
    wall_result[params.body_count * params.wall_count + b] = WallResult(force, foot_depth, torque);
}
