/** One chart among several that share the x axis. */
export interface Chart {
  title: string
  lines: { name: string; points: readonly (readonly [x: number, y: number])[] }[]
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP] = [760, 150, 60, 110, 26]
const COLORS = ['#2563eb', '#d97706', '#059669', '#dc2626']

/** Charts below each other, as an SVG that reads on light and dark ground. */
export function plot(charts: readonly Chart[], xTitle: string): string {
  const most = Math.max(1e-9, ...charts.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([x]) => x))))
  const all = charts.map((chart, index) => drawn(chart, index * (HEIGHT + TOP), most))
  const height = charts.length * (HEIGHT + TOP) + 24
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + LEFT + RIGHT} ${height}" font-family="system-ui, sans-serif" font-size="11">
<title>${charts.map(({ title }) => title).join('; ')}</title>
<style>
text { fill: #6b7280 } polyline { fill: none; stroke-width: 1.3 } path { stroke: #6b7280; stroke-opacity: .35 }
</style>
${all.join('\n')}
<text x="${LEFT + WIDTH / 2}" y="${height - 4}" text-anchor="middle">${xTitle}: 0 to ${rounded(most)}</text>
</svg>
`
}

function drawn({ title, lines }: Chart, y: number, mostX: number): string {
  const top = Math.max(1e-9, ...lines.flatMap(({ points }) => points.map(([, value]) => value)))
  const bottom = y + TOP + HEIGHT - 14
  const place = ([x, value]: readonly [number, number]) =>
    `${(LEFT + (x / mostX) * WIDTH).toFixed(1)},${(bottom - (value / top) * (HEIGHT - 14)).toFixed(1)}`
  const axes = [0, 0.5, 1].map((part) => {
    const at = bottom - part * (HEIGHT - 14)
    return `<path d="M${LEFT} ${at}h${WIDTH}"/><text x="${LEFT - 6}" y="${at + 4}" text-anchor="end">${rounded(part * top)}</text>`
  })
  const drawnLines = lines.map(({ name, points }, index) => {
    const color = COLORS[index % COLORS.length]
    const label = `<text x="${LEFT + WIDTH + 8}" y="${y + TOP + 12 + index * 16}" style="fill:${color}">${name}</text>`
    return `<polyline stroke="${color}" points="${points.map(place).join(' ')}"/>${label}`
  })
  return [`<text x="${LEFT}" y="${y + 18}" font-weight="600">${title}</text>`, ...axes, ...drawnLines].join('\n')
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}
