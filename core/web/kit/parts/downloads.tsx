/** @jsxImportSource ../jsx */
import { usePartWords } from './language'

export interface DownloadsProps {
  /** The path of the page below `/app/`, such as `reviews`. */
  readonly of: string
  /** The query of the page, without a question mark. The files have all rows that its filters select. */
  readonly query?: string
  /** What is in the files, for people who hear the page. */
  readonly label: string
}

/** Links to the rows of a page as CSV and as an Excel workbook. The page must declare `download`. */
export function Downloads({ of, query = '', label }: DownloadsProps) {
  const words = usePartWords()
  return (
    <span class="row">
      {['csv', 'xlsx'].map((ending) => (
        <a key={ending} href={`/app/data/${of}.${ending}${query === '' ? '' : `?${query}`}`} download>
          {ending === 'csv' ? 'CSV' : 'Excel'}
          <span class="unseen"> {words('fileOf', { what: label })}</span>
        </a>
      ))}
    </span>
  )
}
