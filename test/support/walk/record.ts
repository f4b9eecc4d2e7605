import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript-js'

/*
 * Preloaded into a process of its own: every function of core but those of pages says when it is entered. `globalThis.walked` holds the
 * file of each entry, in order, while it is a list.
 */

const root = join(import.meta.dir, '../../..')

Bun.plugin({
  name: 'walk',
  setup(build) {
    build.onLoad({ filter: /\/core\/(?!web\/)[^.]+\.ts$/ }, ({ path }) => ({
      contents: recorded(relative(root, path), readFileSync(path, 'utf8')),
      loader: 'ts',
    }))
  },
})

/** A source whose functions each begin with a note of the file. */
function recorded(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const note = `globalThis.walked?.push(${JSON.stringify(file)})`
  const inserts: [at: number, code: string][] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !ts.isConstructorDeclaration(node)) {
      const body = node.body as ts.Block | ts.Expression
      if (ts.isBlock(body)) inserts.push([body.getStart() + 1, `${note};`])
      else inserts.push([body.getStart(), `(${note}, (`], [body.getEnd(), '))'])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  let out = text
  // At one place the outer function's end follows the inner one's.
  for (const [at, code] of inserts.sort(([a], [b]) => b - a)) out = out.slice(0, at) + code + out.slice(at)
  return out
}
