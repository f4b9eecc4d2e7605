/** @jsxImportSource renown/web */
import { ButtonLink, Card, type PublicPageProps, Row } from 'renown/web'
import { ReportView } from '../html/report-view'
import type { SharedData } from './shared-report'

/** A shared report. */
export default function SharedReport({ data }: PublicPageProps<SharedData>) {
  return (
    <Card>
      {data.pdf_url !== null && (
        <Row align="end">
          <ButtonLink href={data.pdf_url}>PDF</ButtonLink>
        </Row>
      )}
      <ReportView tree={data.tree} hasAccount={false} />
    </Card>
  )
}
