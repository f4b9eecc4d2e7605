/** @jsxImportSource renown/web */
import { Button, Card, Facts, Form, Head, Moment, Notice, type PageProps, Row, StateWord } from 'renown/web'
import { Mails, NoMailServer, Recipients } from './MailParts'
import type { ScheduleData } from './schedule-page'

const path = '/app/reports/scheduled'

/** One schedule, and who gets its reports by mail. */
export default function SchedulePage({ data, csrf, notice, outcome }: PageProps<ScheduleData>) {
  const own = { schedule: data.id, id: data.id, back: `${path}?schedule=${data.id}` }
  const verb = data.is_active ? 'pause' : 'resume'
  return (
    <>
      <Head title={data.title}>
        <bdi>{data.business}</bdi>, {data.when}. <a href="/app/reports">All reports</a>
      </Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {outcome && !outcome.ok && <Notice tone="bad">{outcome.fault}</Notice>}
      <Card>
        <Facts
          of={[
            [
              'State',
              <StateWord key="state" tone={data.is_active ? 'good' : 'plain'}>
                {data.is_active ? 'Active' : 'Paused'}
              </StateWord>,
            ],
            ['Next report', data.next === null ? '–' : <Moment key="next" at={data.next} />],
            [
              'Sent',
              data.review_first
                ? '24 hours after it is made, so that you can look at it'
                : 'as soon as it is made',
            ],
            ['Paragraph', data.keep_paragraph ? 'kept from report to report' : 'new for each report'],
            ...(data.last_report_id === null
              ? []
              : [
                  [
                    'Last report',
                    <a key="last" href={`/app/reports/one?report=${data.last_report_id}`}>
                      Open the last report
                    </a>,
                  ] as const,
                ]),
          ]}
        />
        {data.mailing && (
          <Form action={`${path}/${verb}`} csrf={csrf} hidden={own} label="State of the schedule">
            <Row>
              <Button kind="plain">{data.is_active ? 'Pause the schedule' : 'Resume the schedule'}</Button>
            </Row>
          </Form>
        )}
      </Card>
      {data.mailing && (
        <Card title="Recipients" about="Each of them gets every report of this schedule by email.">
          {!data.mailing.isConfigured && <NoMailServer />}
          <Recipients mailing={data.mailing} csrf={csrf} outcome={outcome} path={path} own={own} />
          <Mails mailing={data.mailing} csrf={csrf} outcome={outcome} path={path} own={own} />
        </Card>
      )}
    </>
  )
}
