import { type Asset, assetOf, hashOf } from '../../framework/assets'

const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'browser', minifyWhitespace: true })

/** Returns the script of some files. Each file has its own names, and runs after those before it. */
async function scriptOf(...names: readonly string[]): Promise<readonly [address: string, script: Asset]> {
  const parts = names.map(async (name) => {
    const source = await Bun.file(`${import.meta.dir}/${name}.ts`).text()
    return `{${transpiler.transformSync(source)}}`
  })
  const script = (await Promise.all(parts)).join('\n')
  return [`/app/assets/${hashOf(script)}.js`, assetOf('text/javascript; charset=utf-8', script)]
}

const desk = await scriptOf('desk-script', 'board-script')
const lists = await scriptOf('typed-script', 'list-script')

/** Address of the script of the frame. It changes with the script. */
export const deskScript = desk[0]

/** Address of the script of lists, for pages without a script of their own. */
export const listScript = lists[0]

/** The scripts of the frame, by their addresses. */
export const deskAssets = new Map([desk, lists])
