import { defineEntity, field, type Row } from 'renown'

/** Internal: what a site's robots.txt said during a time. Days are judged by the copies that held then. */
export const RobotsCopy = defineEntity({
  name: 'RobotsCopy',
  summary: "The rules of a site's robots.txt during a time",
  idPrefix: 'rbc',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    workspace_id: field.text('Workspace of the site'),
    location_id: field.text('Business location of the site'),
    site_id: field.text('The site'),
    rules: field.text('Its groups, rules and sitemaps, without comments. Empty where there is no robots.txt'),
    is_absent: field.flag('Whether the site had no robots.txt'),
    first_seen_at: field.instant('When it was first fetched'),
    last_seen_at: field.instant('When it was last fetched and still the same'),
  },
  sortable: ['first_seen_at', 'created_date'],
  defaultSort: '-first_seen_at',
  indexes: [{ on: ['site_id', 'first_seen_at'] }],
})
export type Copy = Row<typeof RobotsCopy>
