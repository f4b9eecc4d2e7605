import { assetOf, hashOf } from '../../framework/assets'

const parts = ['desk-script.ts', 'board-script.ts'].map((name) =>
  Bun.file(`${import.meta.dir}/${name}`).text(),
)
const source = (await Promise.all(parts)).join('\n')
const script = new Bun.Transpiler({ loader: 'ts', target: 'browser', minifyWhitespace: true }).transformSync(
  source,
)

/** Address of the script of the frame. It changes with the script. */
export const deskScript = `/app/assets/${hashOf(script)}.js`

/** The script of the frame, by its address. */
export const deskAssets = new Map([[deskScript, assetOf('text/javascript; charset=utf-8', script)]])
