import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `bun run bench <name>` measures what `test/bench/<name>.ts` measures; without a name it says which there are. */
const names = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.ts') && !/^run\.ts$|-server\.ts$/.test(file))
  .map((file) => file.slice(0, -3))
const [name, ...rest] = process.argv.slice(2)
if (!name || !names.includes(name)) {
  console.log(`bun run bench <name>: ${names.join(', ')}`)
  process.exit(name ? 2 : 0)
}
await (await import(join(import.meta.dir, `${name}.ts`))).run(...rest)
