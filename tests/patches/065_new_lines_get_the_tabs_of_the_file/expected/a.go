func f() {
	if x {
		for {
			stop()
		}
	}
}
