/** A host of the product. Each host is a separate issuer, and its credentials do not work on the others. */
export interface Host {
  /** The issuer: scheme, name and port, without a slash at its end. */
  readonly origin: string
  readonly kind: 'main' | 'loopback' | 'white_label'
  /** The agency of the white-label domain. Null for other hosts. */
  readonly agency_id: string | null
}

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const loopbackForm = new RegExp(`^(?:localhost|127(?:\\.${octet}){3}|\\[::1\\])$`)

/** Whether a host name is a loopback name, such as `localhost` or `127.0.0.1`. */
export const isLoopback = (hostname: string): boolean => loopbackForm.test(hostname)
