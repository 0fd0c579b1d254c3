int a(
    int x)
{
    go();
}
int b(int x)
{
    stop();
}
