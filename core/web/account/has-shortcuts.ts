import type { Person } from '../../auth/sessions'

/** Whether this person has switched single-key shortcuts on. They are off until then (WCAG 2.1.4). */
export const hasShortcuts = ({ shortcuts_on }: Pick<Person, 'shortcuts_on'>): boolean => shortcuts_on === true
