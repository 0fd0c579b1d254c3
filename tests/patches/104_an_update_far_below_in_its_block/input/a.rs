fn a() {
    one();

    two();
    end();
}

fn b() {
    end();
}
