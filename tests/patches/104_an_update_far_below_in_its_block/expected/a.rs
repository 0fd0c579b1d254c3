fn a() {
    one();

    two();
    done();
}

fn b() {
    end();
}
