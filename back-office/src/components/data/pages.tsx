import { Button, Group, Text } from '@mantine/core'
import type { DataPage } from '../../api.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { LOCALE } from '../../texts/texts.ts'

/** Which rows of all are shown, and the pages before and after. */
export function Pages({
  pagination: { page, per_page, total, total_pages },
  onChange,
}: Pick<DataPage, 'pagination'> & { onChange: (page: number) => void }) {
  const [from, to, all] = [(page - 1) * per_page + 1, Math.min(page * per_page, total), total].map((count) =>
    count.toLocaleString(LOCALE),
  ) as [string, string, string]
  return (
    <Group justify="space-between">
      <Text size="sm" className="quiet" role="status">
        {dataTexts.shown(from, to, all)}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onChange(page - 1)}>
          {dataTexts.previous}
        </Button>
        <Button variant="default" size="xs" disabled={page >= total_pages} onClick={() => onChange(page + 1)}>
          {dataTexts.next}
        </Button>
      </Group>
    </Group>
  )
}
