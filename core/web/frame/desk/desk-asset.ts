import { assetOf, hashOf } from '../../framework/assets'

const source = await Bun.file(`${import.meta.dir}/desk-script.ts`).text()
const script = new Bun.Transpiler({ loader: 'ts', target: 'browser', minifyWhitespace: true }).transformSync(
  source,
)

/** Address of the script of the frame. It changes with the script. */
export const deskScript = `/app/assets/${hashOf(script)}.js`

/** The script of the frame, by its address. */
export const deskAssets = new Map([[deskScript, assetOf('text/javascript; charset=utf-8', script)]])
