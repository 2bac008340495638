// Counters and flags of a run, in one buffer that the host reads between submissions; mirrored by `gpu::elements::control`.
// A pass that changes them with atomics declares the buffer as `ControlAtomic`, of the same members.
struct Control {
    step: u32,              // steps done
    step_target: u32,
    request: u32,           // work asked for, bits below
    phase: u32,             // whether this step runs, PHASE_ below
    fault_contact: u32,     // what is wrong with a contact, bits below
    fault_body: u32,        // what is wrong with a body, bits below
    fault_index: u32,       // smallest body concerned
    pair_count: u32,
    pair_wanted: u32,       // pairs or half incidences that a rebuild needs
    rebuilds: u32,
    gravity_next: u32,      // step at which gravity is due
    overflow: u32,          // what the step lacks until the host has made it, OVERFLOW_ below; 0: nothing
    solver: u32,            // where a step of contact dynamics is, SOLVER_ below
    contact_count: u32,
    contact_wanted: u32,
    // Always 0. Added to the bound of a loop that a uniform holds, it keeps lavapipe from pasting the uniform's value into
    // the shader, which it then compiles anew at every dispatch (Mesa 22.3, 1 ms each).
    zero: u32,
    iteration: u32,         // iterations of this step so far
    residual: u32,          // bits of the residual last measured
    // Since the host last took them: steps solved, iterations in all and of the worst, residual of the worst (bits), steps
    // that ran out of their budget.
    solved_steps: u32,
    solved_iterations: u32,
    iterations_worst: u32,
    residual_worst: u32,
    budget_hits: u32,
    // Of colouring: rounds before this recording, rounds done, the last after which a contact had none, 1 if one found all
    // taken, the highest in use or more than there are.
    colour_round: u32,
    colour_done: u32,
    colour_left: u32,
    colour_short: u32,
    colour_wanted: u32,
    facet_wanted: u32,      // facets that a rebuild needs
    // Of a turning frame: element of `frame_row` and of `frame_reaction` of this step; written by gather_loads.
    frame_row: u32,
    reaction_slot: u32,
    crowded: u32,           // 1 if a body has more neighbours than one invocation sorts
    colour_first: array<u32, 64>, // index in colour_list of the first contact of a colour
    colour_size: array<u32, 64>,  // contacts of a colour
    wide_found: u32,        // complement of the bits of the smallest radius that meets too many facets; 0: none
    wide_wanted: u32,       // facets of wide bodies that a rebuild needs
    listed_count: u32,      // bodies that apply_surface looks at; of polyhedra, pairs within reach that clip_manifolds looks at
    near_count: u32,        // pairs of polyhedra that find_planes looks at
    rounding: u32,          // what a step adds to fractions before it drops them [2^-32]: step times ROUNDING_STEP
}

// 2^32 over the golden ratio. A fraction that is dropped in every step alike would add up; the multiples of this number go
// through all fractions evenly, so that the sum over steps stays within a few units of the exact one.
const ROUNDING_STEP: u32 = 0x9e3779b1u;

const REQUEST_REBUILD: u32 = 1u;

const PHASE_PAUSED: u32 = 0u; // this step does not run
const PHASE_RUNS: u32 = 1u;
const PHASE_FIRST: u32 = 2u;  // it runs, and is the first of the run

const SOLVER_WAITS: u32 = 0u;       // between steps
const SOLVER_FOUND: u32 = 1u;       // contacts are known
const SOLVER_ITERATES: u32 = 2u;
const SOLVER_DONE: u32 = 3u;        // contacts are solved
const SOLVER_COLOURS: u32 = 4u;     // contacts take colours
const SOLVER_FOUND_AGAIN: u32 = 5u; // contacts are known, and the bodies were kicked before

const OVERFLOW_PAIRS: u32 = 1u;        // room for pairs
const OVERFLOW_CONTACTS: u32 = 2u;     // room for contacts
const OVERFLOW_COLOURS: u32 = 3u;      // sweeps for as many colours as there are
const OVERFLOW_FACETS: u32 = 4u;       // room for facets near bodies
const OVERFLOW_CROWDED: u32 = 5u;      // lists for more neighbours than single invocations sort
const OVERFLOW_WIDE_FACETS: u32 = 6u;  // room for facets near wide bodies
const OVERFLOW_WIDE: u32 = 7u;         // a body meets too many facets for one invocation and counts as wide from now on

const FAULT_NON_FINITE: u32 = 1u;
const FAULT_OVERSPEED: u32 = 2u;
const FAULT_OVERLAP: u32 = 4u;
const FAULT_RANGE: u32 = 8u;
const FAULT_TREE: u32 = 16u;
const FAULT_BUDGET: u32 = 32u;
const FAULT_SURFACE: u32 = 64u;
const FAULT_CROWD: u32 = 128u;
const FAULT_LISTED: u32 = 256u;
const FAULT_CORNERS: u32 = 512u;
const FAULT_TURN: u32 = 1024u;
const FAULT_PLATE: u32 = 2048u;
