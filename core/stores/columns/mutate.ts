import { ownTable } from '../../contracts/traffic'
import { quoteName, quoteText } from '../../query/clickhouse-text'
import { removalSettings } from './cluster'
import { onCluster } from './ddl'
import type { ColumnValues, ReplacedTexts } from './port'

interface Running {
  command(sql: string): Promise<unknown>
  readonly cluster: string | undefined
}

/** Removes the rows whose columns all have one of these values. Rewrites the parts of the table that have such rows. */
export async function removeWhere(
  run: Running,
  table: string,
  wanted: readonly ColumnValues[],
): Promise<void> {
  if (wanted.some(({ values }) => values.length === 0)) return
  await run.command(`${alter(run, table)} DELETE WHERE ${conditionOf(wanted)} ${settingsOf(run)}`)
}

/** Replaces texts of a column that is not part of the key, in every version of a row. */
export async function replaceTexts(
  run: Running,
  table: string,
  { column, from, to, among }: ReplacedTexts,
): Promise<void> {
  if (from.length === 0) return
  const plain = `assumeNotNull(${quoteName(column)})`
  const fresh = `transform(${plain}, [${from.map(quoteText).join(', ')}], [${to.map(quoteText).join(', ')}], ${plain})`
  const condition = conditionOf([among, { column, values: from }])
  await run.command(
    `${alter(run, table)} UPDATE ${quoteName(column)} = ${fresh} WHERE ${condition} ${settingsOf(run)}`,
  )
}

const alter = ({ cluster }: Running, table: string) =>
  `ALTER TABLE ${quoteName(ownTable(table, cluster))}${onCluster(cluster)}`

const settingsOf = ({ cluster }: Running) => `SETTINGS ${removalSettings(cluster)}`

const conditionOf = (wanted: readonly ColumnValues[]) =>
  wanted
    .map(({ column, values }) => `${quoteName(column)} IN (${values.map(quoteText).join(', ')})`)
    .join(' AND ')
