// Facets that one invocation goes over; more are shared out.
const FACETS_MAX: u32 = 512u;
