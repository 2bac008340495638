// One index from a grid that the host splits over two dimensions: there is a second row only where the first is full. The
// built-in number of workgroups is not asked for, since it is 0 in indirect dispatches of Direct3D 12.
const GROUPS_MAX: u32 = 65535u; // workgroups of a row, as many as every device takes in a dimension

fn linear_id(workgroup: vec3<u32>, local: u32, size: u32) -> u32 {
    return (workgroup.y * GROUPS_MAX + workgroup.x) * size + local;
}
