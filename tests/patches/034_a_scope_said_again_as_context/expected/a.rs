fn a() {
    x();
}
fn b() {
    y();
}
