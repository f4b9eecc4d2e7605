/** @jsxImportSource renown/web */
import { type Children, Facts, formatCount, formatNumber, OutLink, Quote, Table } from 'renown/web'
import { appendixColumns, appendixOf } from '../blocks/appendix'
import type { Block, BlockOf, Figure, ReportTree, TableCell } from '../blocks/block'
import { certaintyOf, changeOf, isNumeric, shownCell, shownDay, shownNumber } from '../blocks/format'
import { chartSvg } from '../charts/chart-svg'

interface Props {
  readonly tree: ReportTree
  /** Whether links to pages of Renown work for the reader. */
  readonly hasAccount: boolean
  /** The logo of the sender, as an address that contains it. */
  readonly logo?: string | null
  /** Set on pages with a heading of their own. */
  readonly isPreview?: boolean
}

/** A report as HTML: on the shared page and in the preview. */
export const ReportView = ({ tree, hasAccount, logo = null, isPreview }: Props) => (
  <article class="report">
    <header>
      {logo !== null && <img class="report-logo" src={logo} alt={tree.from} />}
      <p class="hint">{tree.period}</p>
      {isPreview ? <h2 class="report-title">{tree.title}</h2> : <h1>{tree.title}</h1>}
      <p class="report-subject">
        <bdi>{tree.subject}</bdi>
      </p>
    </header>
    {tree.sections.map(({ name, title, blocks }) => (
      <section key={name} class="report-part">
        <h2>{title}</h2>
        {blocks.map((block, place) => (
          <Part key={place} block={block} hasAccount={hasAccount} />
        ))}
      </section>
    ))}
    {tree.definitions.length > 0 && (
      <section class="report-part">
        <h2>How the figures are calculated</h2>
        <Appendix tree={tree} />
      </section>
    )}
    <footer class="hint">
      <bdi>{tree.from}</bdi>. Data: SHA-256 <code class="report-hash">{tree.dataHash}</code>
      {tree.brand?.shows_renown && <p>Made with Renown</p>}
    </footer>
  </article>
)

/** Every figure with its interval, and the definitions. Folded on screens, open on paper. */
function Appendix({ tree }: { readonly tree: ReportTree }) {
  const lines = appendixOf(tree)
  return (
    <details class="fold report-fold">
      <summary>
        {formatCount(lines.length, 'figure')} and {formatCount(tree.definitions.length, 'definition')}
      </summary>
      <Table
        label="All figures"
        columns={appendixColumns}
        rows={lines.map(({ label, value, interval, n, change, definition }) => [
          label,
          value,
          interval,
          n,
          change,
          <code>{definition}</code>,
        ])}
      />
      <Facts
        of={tree.definitions.map(({ name, text, id }) => [
          name,
          <>
            {text} <code>{id}</code>
          </>,
        ])}
      />
    </details>
  )
}

interface PartProps<Of> {
  readonly block: Of
  readonly hasAccount: boolean
}

function Part({ block, hasAccount }: PartProps<Block>) {
  switch (block.kind) {
    case 'figures':
      return (
        <div class="report-figures">
          {block.figures.map((figure) => (
            <FigureCard key={figure.id} figure={figure} hasAccount={hasAccount} />
          ))}
        </div>
      )
    case 'chart':
      return <Chart block={block} />
    case 'table':
      return <TablePart block={block} />
    case 'text':
      return (
        <div class="report-text">
          {block.paragraphs.map((paragraph, place) => (
            <p key={place} dir="auto">
              {paragraph}
            </p>
          ))}
          {block.by === 'model' && <p class="hint">Written by a language model.</p>}
        </div>
      )
    case 'evidence':
      return <EvidencePart block={block} hasAccount={hasAccount} />
    case 'did':
    case 'next':
      return (
        <>
          <h3>{block.kind === 'did' ? 'What we did' : 'What comes next'}</h3>
          <ul class={`report-${block.kind}`}>
            {block.items.map(({ text, because, href }, place) => (
              <li key={place}>
                <Linked href={href} hasAccount={hasAccount}>
                  {text}
                </Linked>
                {because !== undefined && <span class="hint">{because}</span>}
              </li>
            ))}
          </ul>
        </>
      )
    case 'note':
      return <p class="hint">{block.text}</p>
  }
}

function FigureCard({ figure, hasAccount }: { readonly figure: Figure; readonly hasAccount: boolean }) {
  const change = changeOf(figure)
  const certainty = certaintyOf(figure)
  return (
    <div class="report-figure">
      <span>
        <Linked href={figure.evidence} hasAccount={hasAccount}>
          {figure.label}
        </Linked>
      </span>
      <strong>{shownNumber(figure.value, figure.unit)}</strong>
      {figure.value === null && figure.unknown_because !== undefined && (
        <span class="hint">{figure.unknown_because}</span>
      )}
      {change && <span class={`report-${change.tone}`}>{change.words}</span>}
      {certainty !== null && <span class="hint">{certainty}</span>}
    </div>
  )
}

/** A chart, and its values as a table for people who cannot see it. */
function Chart({ block }: { readonly block: BlockOf<'chart'> }) {
  return (
    <figure class="report-chart">
      <figcaption>
        <h3>{block.title}</h3>
      </figcaption>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the SVG is made here, and all its texts are escaped */}
      <div dangerouslySetInnerHTML={{ __html: chartSvg(block) }} />
      <details class="fold">
        <summary>Values</summary>
        <Table
          label={block.title}
          columns={['', ...block.series.map(({ name }) => name)]}
          rows={block.labels.map((label, at) => [
            label,
            ...block.series.map(({ values }) => shownNumber(values[at] ?? null, block.unit)),
          ])}
          numeric={block.series.map(({ name }) => name)}
        />
      </details>
    </figure>
  )
}

/** How many rows of a long table are shown before a reader asks for all of them. Print shows all. */
const rowsShown = 8
/** A table that is longer by fewer rows is shown whole: a button would need as much room. */
const rowsSpared = 3

/** A table. If it is long, its later rows are hidden by the style sheet until the reader opens them. */
const TablePart = ({ block }: { readonly block: BlockOf<'table'> }) => (
  <>
    <h3>{block.title}</h3>
    <Table
      label={block.title}
      columns={block.columns.map(({ label }) => label)}
      rows={block.rows.map((row) =>
        block.columns.map(({ type }, place) =>
          cellOf(row[place] ?? null, shownCell(row[place] ?? null, type)),
        ),
      )}
      numeric={block.columns.filter(({ type }) => isNumeric(type)).map(({ label }) => label)}
    />
    {block.rows.length > rowsShown + rowsSpared && (
      <details class="fold report-rest">
        <summary>
          <span class="report-all">Show all {formatNumber(block.rows.length)} rows</span>
          <span class="report-few">Show fewer rows</span>
          <span class="unseen"> of {block.title}</span>
        </summary>
      </details>
    )}
    {block.more !== undefined && block.more > 0 && <p class="hint">and {block.more} more</p>}
  </>
)

const cellOf = (cell: TableCell, words: string): Children =>
  typeof cell === 'object' && cell !== null ? <bdi lang={cell.lang}>{words}</bdi> : words

const EvidencePart = ({ block, hasAccount }: PartProps<BlockOf<'evidence'>>) => (
  <>
    <h3>{block.title}</h3>
    {block.items.map(({ quote, lang, author, source, at, rating, href }, place) => (
      <div key={place} class="report-evidence">
        <Quote text={quote} lang={lang} />
        <p class="hint">
          {rating !== undefined && `${rating} of 5 stars · `}
          {author !== undefined && (
            <>
              <bdi>{author}</bdi> ·{' '}
            </>
          )}
          <Linked href={href} hasAccount={hasAccount}>
            {source}
          </Linked>
          {at !== undefined && ` · ${shownDay(at)}`}
        </p>
      </div>
    ))}
  </>
)

interface LinkedProps {
  readonly href: string | undefined
  readonly hasAccount: boolean
  readonly children: Children
}

/** A link that works for the reader, otherwise its text. */
function Linked({ href, hasAccount, children }: LinkedProps) {
  if (href?.startsWith('/')) return hasAccount ? <a href={href}>{children}</a> : <>{children}</>
  if (href === undefined) return <>{children}</>
  return (
    <>
      {children} <OutLink href={href} />
    </>
  )
}
