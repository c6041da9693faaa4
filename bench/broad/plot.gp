# gnuplot -e "csv='broad.csv'; out='broad.svg'; workload='B1'" plot.gp: time against the number of boxes, a line an entrant.
set datafile separator ','
set terminal svg size 900,600 background '#ffffff'
set output out
set logscale xy
set key outside right noenhanced
set xlabel 'boxes'
set ylabel 'ms per frame'
set format x '10^{%L}'
set grid
names = system(sprintf("awk -F, '$1==\"%s\" && $3==15 && $4==1 {print $5}' %s | sort -u | sed 's/ /~/g'", workload, csv))
name(i) = system(sprintf("echo '%s' | sed 's/~/ /g'", word(names, i)))
data(i) = sprintf("< awk -F, '$1==\"%s\" && $3==15 && $4==1 && $5==\"%s\"' %s", workload, name(i), csv)
width(i) = strstrt(name(i), 'carom') ? 2.5 : 1
plot for [i=1:words(names)] data(i) using 2:6 with linespoints linewidth width(i) title name(i)
