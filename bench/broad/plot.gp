# gnuplot -e "csv='broad.csv'; out='broad.svg'; workload='B1'" plot.gp: time against the number of boxes, a line an entrant.
set datafile separator ','
set terminal svg size 900,600 background '#ffffff'
set output out
set logscale xy
set key outside right noenhanced
set linetype 9 linecolor rgb '#7f6000'
set linetype 10 linecolor rgb '#808080'
set linetype 11 linecolor rgb '#0060ff' linewidth 1
set linetype 12 linecolor rgb '#b0008a'
set linetype 13 linecolor rgb '#a06000'
set linetype 14 linecolor rgb '#00a050'
set linetype 15 linecolor rgb '#d00000'
set linetype 16 linecolor rgb '#202020'
set linetype 17 linecolor rgb '#7040c0'
set linetype 18 linecolor rgb '#008080'
set xlabel 'boxes'
set ylabel 'ms per frame'
set format x '10^{%L}'
set grid
set title sprintf('%s: every box moves, all overlapping pairs are listed; one thread', workload) noenhanced
set autoscale xfix
set offsets graph 0.03, graph 0.03, 0, 0
names = system(sprintf("awk -F, '$1==\"%s\" && $3==15 && $4==1 {print $5}' %s | sort -u | sed 's/ /~/g'", workload, csv))
name(i) = system(sprintf("echo '%s' | sed 's/~/ /g'", word(names, i)))
data(i) = sprintf("< awk -F, '$1==\"%s\" && $3==15 && $4==1 && $5==\"%s\"' %s", workload, name(i), csv)
width(i) = strstrt(name(i), 'carom') ? 2.5 : 1
dash(i) = strstrt(name(i), 'carom') ? 1 : 2 # peers are thin and dashed
plot for [i=1:words(names)] data(i) using 2:6 with linespoints linewidth width(i) dashtype dash(i) linecolor i pointtype 1 + i % 13 title name(i)
