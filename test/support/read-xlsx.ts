/** A cell as another program reads it. */
export interface XlsxCell {
  readonly at: string
  readonly type: string
  readonly format: string
  readonly value: string
  /** Whether a person who edits the text in a spreadsheet keeps a text. Absent if not. */
  readonly quoted?: true
}

/** A sheet as another program reads it. */
export interface XlsxSheet {
  readonly name: string
  readonly frozen: string | null
  readonly formulas: number
  readonly rows: readonly (readonly XlsxCell[])[]
}

/** Reads a workbook with Python's own modules, which check the sums of the archive. */
const program = `
import io, json, sys, zipfile
import xml.etree.ElementTree as tree
m = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
r = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}'
book = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert book.testzip() is None
parse = lambda path: tree.fromstring(book.read(path))
assert {p.get('PartName')[1:] for p in parse('[Content_Types].xml') if p.get('PartName')} <= set(book.namelist())
links = {l.get('Id'): l.get('Target') for l in parse('xl/_rels/workbook.xml.rels')}
styles = parse('xl/styles.xml')
codes = {f.get('numFmtId'): f.get('formatCode') for f in styles.find(m + 'numFmts')}
formats = [(codes.get(x.get('numFmtId'), 'General'), x.get('quotePrefix') == '1') for x in styles.find(m + 'cellXfs')]
def cell(c):
    code, quoted = formats[int(c.get('s', '0'))]
    v = c.find(m + 'v')
    found = {'at': c.get('r'), 'type': c.get('t', 'n'), 'format': code,
             'value': v.text if v is not None else ''.join(t.text or '' for t in c.iter(m + 't'))}
    return {**found, 'quoted': True} if quoted else found
def sheet(s):
    xml = parse('xl/' + links[s.get(r + 'id')])
    pane = xml.find('.//' + m + 'pane')
    return {'name': s.get('name'), 'frozen': None if pane is None else pane.get('topLeftCell'),
            'formulas': len(list(xml.iter(m + 'f'))),
            'rows': [[cell(c) for c in row] for row in xml.find(m + 'sheetData')]}
json.dump([sheet(s) for s in parse('xl/workbook.xml').find(m + 'sheets')], sys.stdout)
`

/** Returns the sheets of a workbook. Throws if another program cannot read it. */
export async function readXlsx(bytes: Uint8Array): Promise<readonly XlsxSheet[]> {
  const read = Bun.spawn(['python3', '-c', program], { stdin: bytes, stdout: 'pipe', stderr: 'pipe' })
  const [text, fault] = await Promise.all([
    new Response(read.stdout).text(),
    new Response(read.stderr).text(),
  ])
  if ((await read.exited) !== 0) throw new Error(`Python could not read the workbook: ${fault}`)
  return JSON.parse(text)
}
