func f() {
	if x {
		go()
	}
}
