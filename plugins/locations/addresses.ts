export const listPath = '/app/locations'
export const onePath = '/app/locations/one'
export const confirmPath = '/app/locations/sure'

/** The address of the page of a location. */
export const addressOf = (id: string) => `${onePath}?location=${encodeURIComponent(id)}`
