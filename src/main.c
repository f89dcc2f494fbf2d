#include <stdio.h>

int main(void)
{
    puts("sparsight");
    return 0;
}
