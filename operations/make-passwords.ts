import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, linkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes the passwords of the servers once: `bun operations/make-passwords.ts <keys> <mongodb> <clickhouse>`. Each folder is a volume
 * of one service, so that each sees only its own. Files that exist stay, because the servers have the passwords of the first run.
 */
const [keys = '/keys', mongodb = '/mongodb', clickhouse = '/clickhouse'] = process.argv.slice(2)
/** The users of the images. Without root, as in a test, everything stays with the user who runs this. */
const users = { [keys]: 1000, [mongodb]: 999, [clickhouse]: 101 }

const word = () => randomBytes(24).toString('base64url')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const usersOf = (
  password: string,
) => `<clickhouse><users><default remove="remove"/><renown><password_sha256_hex>${sha256(password)}</password_sha256_hex>
<networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></renown></users></clickhouse>
`

for (const [folder, user] of Object.entries(users)) {
  chmodSync(folder, 0o700)
  if (process.getuid?.() === 0) chownSync(folder, user, user)
}

const documents = word()
const hits = word()
// The side that connects comes last: after a cut in between, the next run starts that pair anew.
pair(
  keys,
  'mongodb-uri',
  `mongodb://renown:${documents}@mongodb:27017/renown?replicaSet=rs0&authSource=renown`,
  {
    [join(mongodb, 'renown-password')]: documents,
  },
)
pair(keys, 'clickhouse-url', `http://renown:${hits}@clickhouse:8123/renown`, {
  [join(clickhouse, 'renown.xml')]: usersOf(hits),
})
once(join(mongodb, 'root-password'), word())
once(join(mongodb, 'keyfile'), randomBytes(756).toString('base64'))

/** Writes a text for Renown and its other side. */
function pair(folder: string, name: string, text: string, sides: Readonly<Record<string, string>>): void {
  if (existsSync(join(folder, name))) return
  for (const [path, side] of Object.entries(sides)) {
    rmSync(path, { force: true })
    once(path, side)
  }
  once(join(folder, name), text)
}

/** Writes a file whole, for its user alone, unless it exists. */
function once(path: string, text: string): void {
  if (existsSync(path)) return
  const temporary = `${path}.new`
  rmSync(temporary, { force: true })
  writeFileSync(temporary, text, { mode: 0o400, flag: 'wx', flush: true })
  const user = Object.entries(users).find(([folder]) => path.startsWith(`${folder}/`))?.[1]
  if (process.getuid?.() === 0 && user !== undefined) chownSync(temporary, user, user)
  linkSync(temporary, path)
  rmSync(temporary)
}
