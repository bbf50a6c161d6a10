/** Rows that must be there and rows that are; both ways, and as often. */
export const differing = (wanted: string, found: string): string => `
    with wanted as (${wanted}), found as (${found})
    (select * from wanted except all select * from found)
    union all
    (select * from found except all select * from wanted)`
