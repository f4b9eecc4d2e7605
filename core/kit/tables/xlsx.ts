import type { Sheet } from '../../contracts/table-file'
import { sheetNames } from './sheet-names'
import { sheetParts, stylesXml } from './sheet-xml'
import { type ZipFile, zipParts } from './zip'

/** The media type of a spreadsheet. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const kinds = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * Writes an Excel workbook in parts, sheet after sheet. It keeps one part in memory, and the same sheets give the same
 * bytes. The notes of a sheet are not written: add a sheet for them.
 */
export async function* xlsxParts(sheets: readonly Sheet[]): AsyncGenerator<Uint8Array> {
  const names = sheetNames(sheets.map(({ name }) => name))
  const written: ZipFile[] = [
    { path: '[Content_Types].xml', parts: [contentTypes(sheets.length)] },
    { path: '_rels/.rels', parts: [relations([['officeDocument', 'xl/workbook.xml']])] },
    { path: 'xl/workbook.xml', parts: [workbook(names)] },
    {
      path: 'xl/_rels/workbook.xml.rels',
      parts: [
        relations([
          ...names.map((_, place) => ['worksheet', `worksheets/sheet${place + 1}.xml`] as const),
          ['styles', 'styles.xml'],
        ]),
      ],
    },
    { path: 'xl/styles.xml', parts: [stylesXml] },
    ...sheets.map((sheet, place) => ({
      path: `xl/worksheets/sheet${place + 1}.xml`,
      parts: sheetParts(sheet),
    })),
  ]
  yield* zipParts(written)
}

const contentTypes = (count: number) =>
  [
    `${declaration}<Types xmlns="${packages}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${kinds}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${kinds}.styles+xml"/>`,
    ...Array.from(
      { length: count },
      (_, place) =>
        `<Override PartName="/xl/worksheets/sheet${place + 1}.xml" ContentType="${kinds}.worksheet+xml"/>`,
    ),
    '</Types>',
  ].join('')

const relations = (of: readonly (readonly [type: string, target: string])[]) =>
  [
    `${declaration}<Relationships xmlns="${packages}/relationships">`,
    ...of.map(
      ([type, target], place) =>
        `<Relationship Id="rId${place + 1}" Type="${links}/${type}" Target="${target}"/>`,
    ),
    '</Relationships>',
  ].join('')

const workbook = (names: readonly string[]) =>
  [
    `${declaration}<workbook xmlns="${main}" xmlns:r="${links}"><sheets>`,
    ...names.map(
      (name, place) => `<sheet name="${attribute(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
    ),
    '</sheets></workbook>',
  ].join('')

const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
