// One index from a workgroup grid that the host split over two dimensions (65,535 workgroups a dimension).
fn linear_id(workgroup: vec3<u32>, grid: vec3<u32>, local: u32, size: u32) -> u32 {
    return (workgroup.y * grid.x + workgroup.x) * size + local;
}
