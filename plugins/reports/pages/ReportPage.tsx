/** @jsxImportSource renown/web */
import { Button, ButtonLink, Card, CopyField, Form, Head, Notice, type PageProps, Row } from 'renown/web'
import { ReportView } from '../html/report-view'
import { ParagraphCard } from './ParagraphCard'
import { State } from './ReportsPage'
import type { ReportData } from './report-page'

/** One report: its state, what readers see, and its sharing. */
export default function ReportPage(props: PageProps<ReportData>) {
  const { data, csrf, notice, outcome } = props
  const action = (name: string) => ({
    ...{ action: `/app/reports/one/${name}`, csrf },
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
        <State of={data} />
        {data.pdf_url !== null && <ButtonLink href={data.pdf_url}>PDF</ButtonLink>}
      </Row>
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
      {data.mayWrite && <ParagraphCard {...props} />}
      {data.mayShare && (
        <Card title="Sharing">
          {data.shared_at === null ? (
            <Form {...action('share')} label="Share the report">
              <p class="hint">Everybody with the link can read the report, without an account.</p>
              <Button kind="plain">Share the report</Button>
            </Form>
          ) : (
            <>
              <CopyField
                name="share-link"
                label={`Link, opened ${data.views} times`}
                value={data.shared_at}
              />
              <Row>
                <Form {...action('share')} inline label="New link">
                  <Button kind="plain">Make a new link</Button>
                </Form>
                <Form {...action('unshare')} inline label="Stop sharing">
                  <Button kind="danger">Stop sharing</Button>
                </Form>
              </Row>
            </>
          )}
        </Card>
      )}
      {data.tree && (
        <Card>
          <ReportView tree={data.tree} hasAccount />
        </Card>
      )}
    </>
  )
}
