//! Contacts of contact dynamics.

crate::element! {
    "state/contact";

    /// Who meets.
    struct ContactBody {
        /// the first body
        i: u32,
        /// the second; walls are behind all bodies
        j: u32,
        /// pair; behind all pairs, part and wall
        candidate: u32,
        /// name of what touches, with the contact's colour
        feature: u32,
    }

    /// One end of a contact.
    struct ContactSide {
        /// from the body's centre to the contact (L)
        arm: [f32; 3],
        /// of i: cohesion (M L/T); of j: bias of the normal velocity (L/T)
        extra: f32,
    }

    /// Where bodies meet, and how they move there.
    struct ContactFrame {
        /// from j to i
        normal: [f32; 3],
        /// coefficient
        friction: f32,
        /// of i and of j
        sides: [ContactSide; 2],
        /// relative velocity without impulses, with the bias (L/T)
        free: [f32; 3],
        /// (L)
        gap: f32,
        /// relative velocity before the step (L/T)
        before: [f32; 3],
        /// to 16 bytes
        pad: u32,
    }

    /// Step lengths and diagonal of a contact, along the normal and across it.
    struct ContactScale {
        /// (M)
        step: [f32; 2],
        /// of the Delassus operator (1/M)
        diagonal: [f32; 2],
    }

    /// The impulse on i, and the guess of it that has momentum. One workgroup that solves alone keeps the contact's residual here
    /// too.
    struct ContactImpulse {
        /// (M L/T)
        impulse: [f32; 3],
        /// as of [`Residual`]
        error: f32,
        /// (M L/T)
        guess: [f32; 3],
        /// as of [`Residual`]
        size: f32,
    }

    /// Squares (L2/T2) of one contact, or of many.
    struct Residual {
        /// of what the velocities miss
        error: f32,
        /// of what they are compared with
        size: f32,
    }

    /// A contact in the order of the colours.
    struct ColourEntry {
        /// which
        contact: u32,
        /// the first body
        i: u32,
        /// the second
        j: u32,
        /// 1 if j moves
        moves: u32,
        /// of the contact
        scale: ContactScale,
    }

    /// Colours of a body's contacts.
    struct BodyColours {
        /// a bit each, low word first
        used: [u32; 2],
    }

    /// Law of a pair of materials.
    struct RigidLaw {
        /// coefficient
        friction: f32,
        /// coefficient
        restitution: f32,
        /// impulse (M L/T)
        cohesion: f32,
        /// gap up to which cohesion acts (L)
        range: f32,
    }
}

impl ContactImpulse {
    /// Of this impulse, which is its own guess (M L/T).
    pub fn of(impulse: [f32; 3]) -> ContactImpulse {
        ContactImpulse { impulse, guess: impulse, ..ContactImpulse::default() }
    }
}
