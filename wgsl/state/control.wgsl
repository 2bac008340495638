// Words of the control buffer; mirrored by `gpu::layout::control`.
const STEP: u32 = 0u;          // steps done
const STEP_TARGET: u32 = 1u;
const REQUEST: u32 = 2u;       // work asked for, bits below; written by integrate_bodies, decide_work and the rebuild
const ACTIVE: u32 = 3u;        // 0: this step does not run, 1: it does, 2: it is the first; written by apply_contacts
const FAULT_CONTACT: u32 = 4u; // bits; written by apply_contacts, apply_walls, apply_surface
const FAULT_BODY: u32 = 5u;    // bits; written by integrate_bodies
const FAULT_INDEX: u32 = 6u;   // smallest body concerned
const PAIR_COUNT: u32 = 7u;
const PAIR_WANTED: u32 = 8u;   // pairs or half incidences that a rebuild needs
const REBUILDS: u32 = 9u;
const GRAVITY_NEXT: u32 = 10u; // step at which gravity is due
// 1 while the pair buffers are too small, 2 while those of contacts are, 3 while fewer colours are recorded than wanted,
// 4 while the lists of facets are too small, 5 while neighbours are too many for lists that single invocations sort, 6 as 4
// of wide bodies, 7 while a body meets too many facets for one invocation
const OVERFLOW: u32 = 11u;
// Of contact dynamics: 0 between steps, 1 contacts found, 2 iterating, 3 solved, 4 contacts take colours, 5 as 1, but made
// once before
const SOLVER: u32 = 12u;
const CONTACT_COUNT: u32 = 13u;
const CONTACT_WANTED: u32 = 14u;
// Always 0. Added to the bound of a loop that a uniform holds, it keeps lavapipe from pasting the uniform's value into
// the shader, which it then compiles anew at every dispatch (Mesa 22.3, 1 ms each).
const ZERO: u32 = 15u;
const ITERATION: u32 = 16u;        // iterations of this step so far
const RESIDUAL: u32 = 17u;         // bits of the residual last measured
// Since the host last took them: steps solved, iterations in all and of the worst, residual of the worst, steps that
// ran out of their budget.
const SOLVED_STEPS: u32 = 18u;
const SOLVED_ITERATIONS: u32 = 19u;
const ITERATIONS_WORST: u32 = 20u;
const RESIDUAL_WORST: u32 = 21u;
const BUDGET_HITS: u32 = 22u;
// Of colouring: rounds before this recording, rounds done, the last after which a contact had none, 1 if one found all
// taken, the highest in use or more than there are.
const COLOUR_ROUND: u32 = 23u;
const COLOUR_DONE: u32 = 24u;
const COLOUR_LEFT: u32 = 25u;
const COLOUR_SHORT: u32 = 26u;
const COLOUR_WANTED: u32 = 27u;
const FACET_WANTED: u32 = 28u;     // facets that a rebuild needs
// Of a turning frame: row of `frame_row` and slot of `frame_reaction` of this step; written by gather_loads.
const FRAME_PLACE: u32 = 29u;
const REACTION_PLACE: u32 = 30u;
const CROWDED: u32 = 31u;           // 1 if a body has more neighbours than one invocation sorts
const COLOUR_FIRST: u32 = 32u;     // place in colour_list of the first contact of a colour, 64 words
const COLOUR_SIZE: u32 = 96u;      // contacts of a colour, 64 words

const WIDE_FOUND: u32 = 160u;       // complement of the bits of the smallest radius that meets too many facets; 0: none
const WIDE_WANTED: u32 = 161u;      // facets of wide bodies that a rebuild needs

const REQUEST_REBUILD: u32 = 1u;

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
