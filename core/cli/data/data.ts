import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Cli } from '../cli'
import { openSource } from '../import/import-source'
import { printAnswer } from '../print/print'
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
A copy of documents.sqlite as of one moment, while the product works on. It does not hold the daily rows and hits.

Example:
  $ bun renown data backup /backups/documents.sqlite`

/** `bun renown data export|import|backup`: all data in one file, from any stores and into any stores. */
export function addData(program: Command, cli: Cli): void {
  const data = program.command('data').description('export, import, backup: all data in one file')
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
    .description('Copy the embedded documents to a file')
    .argument('<file>', 'a file that does not exist yet')
    .addHelpText('after', backupHelp)
    .action(async (file: string) => {
      const path = resolve(file)
      const { bytes } = await cli.withLink((link) =>
        link.post<{ bytes: number }>('/data/backup', { file: path }),
      )
      printAnswer(cli.terminal, cli.json(), { file: path, bytes })
    })
}
