/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  Cell,
  Form,
  Head,
  Notice,
  type PageProps,
  Row,
  StateWord,
} from 'renown/web'
import { ReportView } from '../html/report-view'
import { MailCard } from './MailCard'
import { ParagraphCard } from './ParagraphCard'
import type { ReportData } from './report-page'
import { stateCell } from './report-state'
import { ShareCard } from './ShareCard'

const formLinks = [
  ['xlsx', 'Excel'],
  ['csv', 'CSV'],
  ['md', 'Markdown'],
] as const

/** One report: its state, what readers see, and beside or below it what owners do with it. */
export default function ReportPage(props: PageProps<ReportData>) {
  const { data, csrf, notice, outcome } = props
  const action = (name: string) => ({
    action: `/app/reports/one/${name}`,
    csrf,
    hidden: { report: data.id, id: data.id, back: `/app/reports/one?report=${data.id}` },
  })
  return (
    <>
      <Head title={data.title}>
        <a href="/app/reports">All reports</a>
      </Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {outcome && !outcome.ok && <Notice tone="bad">{outcome.fault}</Notice>}
      <Row>
        <Cell of={stateCell(data)} />
        {data.pdf_url !== null && <ButtonLink href={data.pdf_url}>PDF</ButtonLink>}
        {data.status === 'completed' &&
          formLinks.map(([extension, label]) => (
            <ButtonLink
              key={extension}
              kind="quiet"
              href={`/app/data/reports/one/report.${extension}?report=${data.id}`}
            >
              {label}
            </ButtonLink>
          ))}
      </Row>
      <ActLinks data={data} />
      {data.pdf_standard === '1.7' && (
        <Notice tone="warn">
          The PDF has characters that no installed font shows, so it is a tagged PDF 1.7 and not PDF/UA-1.
        </Notice>
      )}
      {data.pdf_state !== null && (
        <Notice tone="warn">
          {data.pdf_state === 'outdated'
            ? 'The paragraph changed, and the PDF is being rendered again. Until then it shows the previous one.'
            : 'The PDF shows the previous paragraph, because it could not be rendered again. Save the paragraph to try again.'}
        </Notice>
      )}
      {data.mayRetry && (
        <Form {...action('retry')} inline label="Make it again">
          <Button>Make it again</Button>
        </Form>
      )}
      <div class={data.tree ? 'report-desk two' : 'report-desk'}>
        {data.tree && (
          <Card>
            <ReportView tree={data.tree} hasAccount isPreview logo={data.logo} />
          </Card>
        )}
        <Acts {...props} />
      </div>
    </>
  )
}

/** What owners do with a report. */
const Acts = (props: PageProps<ReportData>) => (
  <div class="report-acts">
    {actsOf(props.data).map(({ id, Act }) => (
      <div key={id} id={id}>
        <Act {...props} />
      </div>
    ))}
  </div>
)

const actsOf = ({ mayWrite, mailing, mayShare }: ReportData) => [
  ...(mayWrite ? [{ id: 'paragraph', label: 'Paragraph', Act: ParagraphCard }] : []),
  ...(mailing ? [{ id: 'mail', label: 'Mail', Act: MailCard }] : []),
  ...(mayShare ? [{ id: 'share', label: 'Share', Act: ShareCard }] : []),
]

const mailStates = { planned: ['warn', 'Mail planned'], held: ['warn', 'Mail held'] } as const

/** Links to what owners do with the report, for screens where it is below the report. */
function ActLinks({ data }: { readonly data: ReportData }) {
  const acts = actsOf(data)
  const { state } = data.mail
  if (acts.length === 0 || !data.tree) return null
  return (
    <nav class="report-jump" aria-label="On this page">
      <Row>
        {acts.map(({ id, label }) => (
          <a key={id} href={`#${id}`}>
            {label}
          </a>
        ))}
        {(state === 'planned' || state === 'held') && (
          <StateWord tone={mailStates[state][0]}>{mailStates[state][1]}</StateWord>
        )}
      </Row>
    </nav>
  )
}
