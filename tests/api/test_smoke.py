import time
def test_a(me, live, service, bare):
    game = me.new()
    l = live(me)
    l.ok("watch", game=game["id"])
    me.play(game, 3)
    assert len(l.events(3)) == 3
    l.hears_nothing_more()
    b = bare()
    b.command(id=1, op="hello")
    print(b.text())
    b.send(b"x", mask=False)
    print(b.closed())
    
def test_b(serve, join):
    t=time.time()
    s = serve()
    print(time.time()-t)
    p = join(s.url)
    g=p.new()
    s.stop()
    print(time.time()-t)
    s2 = serve(path=s.path)
    print(time.time()-t)
