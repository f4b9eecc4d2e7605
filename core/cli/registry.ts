import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type AgentRegistry, registryBytesMax } from '../contracts/agent-registry'
import { messageOf, Refusal } from '../contracts/errors'
import { dayMs } from '../contracts/time'
import {
  createRegistryKey,
  isRegistryKey,
  openRegistry,
  readRegistry,
  releaseRegistryKeys,
  signRegistry,
  unsignedText,
} from '../kit'
import type { Cli } from './cli'
import { printAnswer } from './print/print'

/** Days for which an exported registry is valid. */
const validDays = 90

/**
 * `bun renown registry export|check|sign|key create`: the files that mirrors publish. Only `export` needs an installation.
 * The traffic plugin adds the commands that do.
 */
export function addRegistry(program: Command, cli: Cli): void {
  const registry = program.command('registry')
  const print = (answer: Record<string, unknown>) => printAnswer(cli.terminal, cli.json(), answer)
  registry
    .command('export')
    .description('Write the registry in use as a file to edit and sign, with a new version')
    .argument('<file>', 'the new file')
    .addHelpText('after', '\nExample:\n  $ bun renown registry export agents.json')
    .action(async (file: string) => {
      const used = await cli.withLink((link) => link.get<AgentRegistry>('/registry'))
      const next = nextOf(used, cli.now())
      write(file, `${JSON.stringify(next, null, 2)}\n`, 0o644)
      print({ file, version: next.version, agents: next.agents.length, expires_at: next.expires_at })
    })
  registry
    .command('check')
    .description('Check a file, signed or not; exit code 1 if an installation would refuse it')
    .argument('<file>', 'the file')
    .option('--key <key>', 'a public key that must have signed it')
    .addHelpText('after', '\nExample:\n  $ bun renown registry check agents.registry')
    .action((file: string, { key }: { key?: string }) => {
      if (key !== undefined && !isRegistryKey(key))
        throw new Refusal('invalid_field', '--key must be a public key of `bun renown registry key create`.')
      print(checked(file, key, cli.now()))
    })
  registry
    .command('key')
    .description('create: a key that signs registries')
    .command('create')
    .description('Create a key that signs registries; the private part goes into a new file')
    .argument('<file>', 'the new file for the private key')
    .addHelpText('after', '\nExample:\n  $ bun renown registry key create registry.key')
    .action((file: string) => {
      const { id, public_key, private_key } = createRegistryKey()
      write(file, `${private_key}\n`, 0o600)
      print({ id, public_key, private_key_file: file })
    })
  registry
    .command('sign')
    .description('Check and sign a file for a mirror; a signed file gets one more signature')
    .argument('<file>', 'the file of `registry export`, edited')
    .argument('<signed>', 'the new, signed file')
    .requiredOption('--key-file <file>', 'the private key')
    .addHelpText(
      'after',
      '\nExample:\n  $ bun renown registry sign agents.json agents.registry --key-file registry.key',
    )
    .action((file: string, signed: string, { keyFile }: { keyFile: string }) => {
      const text = read(file)
      const { version, agents } = valid(() => readRegistry(unsignedText(text)), file)
      write(
        signed,
        valid(() => signRegistry(text, read(keyFile)), file),
        0o644,
      )
      print({ file: signed, version, agents: agents.length })
    })
}

function nextOf(used: AgentRegistry, now: Date): AgentRegistry {
  const day = Number(now.toISOString().slice(0, 10).replaceAll('-', ''))
  return {
    ...used,
    version: Math.max(used.version + 1, day * 100 + 1),
    issued_at: now.toISOString(),
    expires_at: new Date(now.getTime() + validDays * dayMs).toISOString(),
  }
}

function checked(file: string, key: string | undefined, now: Date) {
  const text = read(file)
  const keys = key === undefined ? releaseRegistryKeys : [key]
  const isSigned = unsignedText(text) !== text
  const registry = valid(
    () => (isSigned ? openRegistry(Buffer.from(text), keys).registry : readRegistry(text)),
    file,
  )
  if (Date.parse(registry.expires_at) <= now.getTime())
    throw new Refusal('invalid_field', `${file} expired on ${registry.expires_at.slice(0, 10)}.`)
  return {
    version: registry.version,
    is_signed: isSigned,
    expires_at: registry.expires_at,
    agents: registry.agents.length,
    assistants: registry.assistants.length,
    lists: registry.lists.length,
  }
}

/** Turns what is wrong with a file into a refusal. */
function valid<T>(work: () => T, file: string): T {
  try {
    return work()
  } catch (error) {
    throw new Refusal('invalid_field', `${file} ${messageOf(error)}.`)
  }
}

function read(file: string): string {
  try {
    // A read of a pipe or a terminal can wait forever, and would stop the product.
    if (!statSync(file).isFile()) throw new Error('not a file')
    const bytes = readFileSync(file)
    if (bytes.byteLength <= registryBytesMax) return bytes.toString('utf8')
  } catch {
    throw new Refusal('invalid_field', `The file ${file} cannot be read.`)
  }
  throw new Refusal('invalid_field', `The file ${file} has more than ${registryBytesMax} bytes.`)
}

/** Writes a new file. An existing one stays, because it may be a key. */
function write(file: string, text: string, mode: number): void {
  try {
    writeFileSync(file, text, { mode, flag: 'wx' })
    chmodSync(file, mode)
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new Refusal(
      'invalid_field',
      `The file ${file} ${isThere ? 'exists already' : 'cannot be written'}.`,
    )
  }
}
