/** @jsxImportSource renown/web */
import { Button, Card, Form, Labelled, type PageProps, Row } from 'renown/web'
import type { ReportData } from './report-page'

/** The form in which a person writes the paragraph at the beginning of a report. */
export function ParagraphCard({ data, csrf, outcome }: PageProps<ReportData>) {
  const failed = outcome && !outcome.ok && outcome.action === 'paragraph' ? outcome : null
  const typed = failed?.values?.text
  return (
    <Card
      title="Your paragraph"
      about="Readers see it first: on the page, in the PDF, in mail and on the shared page. It is kept if the same report is made again."
    >
      <Form
        action="/app/reports/one/paragraph"
        csrf={csrf}
        hidden={{ report: data.id, id: data.id, back: `/app/reports/one?report=${data.id}` }}
        label="Your paragraph"
      >
        <Labelled
          name="text"
          label="Paragraph"
          hint="At most 2,000 characters of plain text. An empty line begins a new paragraph."
          error={failed?.faults?.text}
          control={(described) => (
            <textarea
              id="text"
              name="text"
              rows={5}
              dir="auto"
              defaultValue={typeof typed === 'string' ? typed : data.paragraph}
              aria-describedby={described}
              aria-invalid={failed?.faults?.text ? 'true' : undefined}
            />
          )}
        />
        <Row>
          <Button kind="plain">Save the paragraph</Button>
        </Row>
      </Form>
    </Card>
  )
}
