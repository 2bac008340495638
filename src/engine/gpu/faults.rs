//! Faults that passes report, as errors that name who ran into them.

use super::core::Core;
use super::scales::speed_max_m_s;
use crate::base::error::Error;
use crate::base::readable::quantity;
use crate::gpu::layout::control;

impl Core {
    /// The error that the control words tell of.
    pub(super) fn fault(&self) -> Option<Error> {
        let faults = self.control.fault_contact | self.control.fault_body;
        if faults == 0 {
            return None;
        }
        if faults == control::BUDGET.0 {
            let (d, residual) = (&self.prepared.rigid.params, f32::from_bits(self.control.residual));
            return Some(Error::over_budget(self.step(), residual, d.tolerance, self.control.iteration));
        }
        let what: Vec<&str> = control::FAULTS.iter().filter(|f| f.0 & faults != 0).map(|f| f.1).collect();
        let index = self.control.fault_index as usize;
        if let Some((fault, remedy)) = control::SIZES.iter().find(|(fault, _)| fault.0 & faults != 0) {
            let who = match (faults & control::PLATE.0, self.walls.get(index)) {
                (0, _) => self.named(self.leader(index)),
                (_, wall) => wall.map_or("a wall".into(), |w| format!("wall `{}`", w.name)),
            };
            return Some(Error::guard_size(self.step(), &who, fault.1, remedy));
        }
        let (what, dt_s) = (what.join(" and ") + &self.too_fast(faults), self.prepared.units.time_s);
        if let Some(name) = index.checked_sub(self.bodies.len()).and_then(|k| self.walls.get(k)).map(|w| &w.name) {
            return Some(Error::guard_wall(self.step(), name, &what, dt_s));
        }
        let who = self.named(index);
        Some(match self.prepared.rigid.params.contact_capacity {
            0 if control::is_of_force(faults) => Error::guard_force(self.step(), &who, &what, dt_s),
            0 if !control::is_of_speed(faults) => {
                Error::guard(self.step(), &who, &what, dt_s, self.prepared.params.overlap_max.into())
            }
            _ => Error::guard_step(self.step(), &who, &what, dt_s),
        })
    }

    /// The body at a place in memory.
    fn named(&self, index: usize) -> String {
        let id = self.prepared.order.get(index).map(|k| self.bodies.id[*k as usize]);
        id.map_or("a body".to_owned(), |id| format!("body {id}"))
    }

    /// The body to which a row of the neighbour list belongs: rows behind the bodies are further parts of clumps.
    fn leader(&self, row: usize) -> usize {
        let further = row.checked_sub(self.bodies.len()).and_then(|k| self.prepared.shapes.leader.get(k));
        further.map_or(row, |leader| *leader as usize)
    }

    /// What is too fast, if that is among the faults.
    fn too_fast(&self, faults: u32) -> String {
        if faults & control::OVERSPEED.0 == 0 {
            return String::new();
        }
        let remedy = match self.typed.contact_dynamics() {
            Some(_) => "; contact_dynamics.speed_max_m_s allows more",
            None => "",
        };
        let limit = quantity(speed_max_m_s(&self.prepared.units), "m/s");
        format!(" (the limit is {limit} near other bodies, walls and surfaces{remedy})")
    }
}
