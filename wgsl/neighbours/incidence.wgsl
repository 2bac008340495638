// Neighbours that the list of one body holds: what goes over them takes a turn each, and software devices end all loops of
// an invocation together after 65,535. `bound_entries` stops a run that needs more.
const NEIGHBOURS_MAX: u32 = 50000u;

// Walls of a run.
const WALLS_MAX: u32 = 8192u;

// Contacts of one body, with walls and all its parts; `count_incidence` stops a run that needs more.
const CONTACTS_MAX: u32 = 60000u;

// Contacts of a wall that answers to force: its 64 invocations take every 64th each. `push_plates` stops a run that needs more.
const PLATE_CONTACTS_MAX: u32 = 3840000u;
