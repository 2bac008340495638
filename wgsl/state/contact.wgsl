// Contacts of contact dynamics, one struct a buffer. A contact acts from its second body, j, on its first, i, with the
// impulse p, and on j with -p. Walls are bodies behind all others.

struct ContactBody {
    i: u32,
    j: u32,
    candidate: u32, // pair; behind all pairs, part and wall
    feature: u32,   // name of what touches, with the contact's colour
}

// One end of a contact: of body i, or of body j.
struct ContactSide {
    arm: vec3<f32>, // from the body's centre to the contact [L]
    extra: f32,     // of i: cohesion [M L/T]; of j: bias of the normal velocity [L/T]
}

struct ContactFrame {
    normal: vec3<f32>, // from j to i
    friction: f32,
    sides: array<ContactSide, 2>,
    free: vec3<f32>,   // relative velocity without impulses, with the bias [L/T]
    gap: f32,          // [L]
    before: vec3<f32>, // relative velocity before the step [L/T]
}

// Along the normal and across it.
struct ContactScale {
    step: vec2<f32>,     // step lengths [M]
    diagonal: vec2<f32>, // of the Delassus operator [1/M]
}

// The impulse on i, and the guess of it that has momentum. One workgroup that solves alone keeps the contact's residual here too.
struct ContactImpulse {
    impulse: vec3<f32>, // [M L/T]
    error: f32,         // [L2/T2]
    guess: vec3<f32>,   // [M L/T]
    size: f32,          // [L2/T2]
}

// Squares [L2/T2]; of one contact, or of many.
struct Residual {
    error: f32,
    size: f32,
}

// Contacts in the order of their colours.
struct ColourEntry {
    contact: u32,
    i: u32,
    j: u32,
    moves: u32, // 1 if j moves
    scale: ContactScale,
}

// Colours of a body's contacts, a bit each, low word first.
struct BodyColours {
    used: vec2<u32>,
}

// Law of a pair of materials.
struct RigidLaw {
    friction: f32,
    restitution: f32,
    cohesion: f32, // impulse [M L/T]
    range: f32,    // gap up to which cohesion acts [L]
}
