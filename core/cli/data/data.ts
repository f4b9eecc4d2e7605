import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Backup } from '../../transfer/backup'
import { checkInProcess } from '../../transfer/check-process'
import type { Cli } from '../cli'
import { openSource } from '../import/import-source'
import { printAnswer } from '../print/print'
import { exitCodes } from '../print/terminal'
import { exportData } from './data-export'
import { importData } from './data-import'

const exportHelp =
  ' ⏎ One JSON object per line: every record of every type with personal data and hashes of keys, the hits and ⏎ the daily rows. Only you can read the file (mode 0600). While the product runs, records are exported as they are ⏎ read. Stop the product first if all records must be from the same moment. Settings and the files of the data ⏎ folder are not included. ⏎ Examples: ⏎ $ bun renown data export renown.ndjson ⏎ $ bun renown data export - | zstd > renown.ndjson.zst'

const importHelp = `
Takes what \`data export\` made, plain, gzip or zstd, into stores that are empty: a data folder or servers that no
product was started on. With --merge, rows that stand already are left as they are; that also goes on with an
import that was cut off.

Examples:
  $ MONGODB_URI=mongodb://db/renown bun renown data import renown.ndjson
  $ zcat renown.ndjson.gz | bun renown data import -`

const backupHelp = `
Copies documents, columns, the journal of accepted hits and the keys into a new folder, as of one moment, while the
product works on. The copy is opened and read before it counts. It is a data folder: to restore, stop the product, put
the copy in the place of the data folder, and start the product.

Example:
  $ bun renown data backup /backups --keep 7`

const checkHelp = `
Opens a backup, reads all of it and counts its rows. Changes nothing of the running product.

Example:
  $ bun renown data check /backups/renown-2026-11-29T03-00-00Z`

/** `bun renown data export|import|backup|check`: all data in one file, from any stores and into any stores, and copies of a data folder. */
export function addData(program: Command, cli: Cli): void {
  const data = program
    .command('data')
    .description('export, import: all data in one file. backup, check: a copy of everything')
  data
    .command('export')
    .description('Write all data to a file')
    .argument('<file>', 'a file that does not exist yet, or - for standard output')
    .addHelpText('after', exportHelp)
    .action((file: string) => cli.withLink((link) => exportData(cli, link, file)))
  data
    .command('import')
    .description('Import an export')
    .argument('<file>', 'the export, or - for standard input')
    .option('--merge', 'skip rows that already exist')
    .addHelpText('after', importHelp)
    .action(async (file: string, { merge = false }: { merge?: boolean }) => {
      const source = openSource(file, () => Bun.stdin.stream())
      await cli.withLink((link) => importData(cli, link, source, merge), { createsFolder: true })
    })
  data
    .command('backup')
    .description('Copy all embedded data into a new folder, and check the copy')
    .argument('<folder>', 'where backups are kept. Best on another disk')
    .option(
      '--keep <count>',
      'how many backups to keep there, 1 to 1000. Older ones are deleted after the new one was checked',
    )
    .addHelpText('after', backupHelp)
    .action(async (folder: string, { keep }: { keep?: string }) => {
      const asked = { folder: resolve(folder), keep: keep === undefined ? null : countOf(keep) }
      const made = await cli.withLink((link) => link.post<Backup>('/data/backup', asked))
      if (cli.json()) printAnswer(cli.terminal, true, made)
      else {
        const { rows, bytes, removed } = made
        printAnswer(cli.terminal, false, {
          folder: made.folder,
          bytes,
          rows: sum(rows),
          removed: removed.join(', ') || '–',
        })
      }
      for (const sentence of made.elsewhere) cli.terminal.err(`${sentence}\n`)
    })
  data
    .command('check')
    .description('Open a backup and read all of it')
    .argument('<folder>', 'the backup')
    .addHelpText('after', checkHelp)
    .action(async (folder: string) => {
      const { rows, faults } = await checkInProcess(resolve(folder))
      if (cli.json()) printAnswer(cli.terminal, true, { rows, faults })
      else printAnswer(cli.terminal, false, { rows: sum(rows), faults: faults.join('; ') || '–' })
      if (faults.length > 0) cli.exit(exitCodes.failed)
    })
}

const sum = (rows: Backup['rows']): number => Object.values(rows).reduce((all, count) => all + count, 0)

function countOf(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 1_000) return count
  throw new InvalidArgumentError('--keep takes a whole number from 1 to 1000.')
}
