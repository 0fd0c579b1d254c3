fn a() {
    x();
}
fn b() {
    x();
}
