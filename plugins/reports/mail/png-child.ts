import { dirname, join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { fontsFor } from '../pdf/fonts'

/** The process that draws one chart as a PNG: an SVG on standard input, the PNG on standard output. It opens no connection. */
const svg = await Bun.stdin.text()
const folder = dirname(Bun.resolveSync('@resvg/resvg-wasm/package.json', import.meta.dir))
await initWasm(await Bun.file(join(folder, 'index_bg.wasm')).arrayBuffer())
const drawn = new Resvg(svg, {
  background: '#ffffff',
  // Twice the size at which it is shown, for sharp screens.
  fitTo: { mode: 'zoom', value: 2 },
  font: { fontBuffers: fontsFor(svg).fonts.map((font) => new Uint8Array(font)), defaultFontFamily: 'Inter' },
}).render()
process.stdout.write(drawn.asPng(), () => process.exit(0))
