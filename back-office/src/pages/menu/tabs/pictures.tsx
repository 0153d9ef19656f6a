import { ActionIcon, Alert, Button, FileButton, Group, Text } from '@mantine/core'
import { IconArrowLeft, IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import type { EditedEntry } from '../../../../../server/src/menu/entries/edit-entry.ts'
import { queries } from '../../../api.ts'
import { sentence } from '../../../components/refusal.tsx'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { mediaHref, NoPicture, uploadPicture } from '../media.ts'

type Images = NonNullable<EditedEntry['values']['images']>

const MOST = 5
const words = menuTexts.entry

/** The pictures of a thing; the first is the one that tiles and lists show. */
export function Pictures({
  values: { images = [] },
  onChange,
}: {
  values: EditedEntry['values']
  onChange: (images: Images) => void
}) {
  const { data: me } = useSuspenseQuery(queries.me)
  const brand = me.kind === 'user' ? me.brand.slug : ''
  const add = useMutation({
    mutationFn: (file: File) => uploadPicture(file),
    onSuccess: (image) => onChange([...images, image]),
  })
  return (
    <>
      <Text size="sm" className="quiet">
        {words.pictureHint}
      </Text>
      {images.length > 0 && (
        <ul className="picture-list">
          {images.map((image, index) => (
            <li key={image.medium}>
              <img src={mediaHref(brand, image.medium)} alt={words.picture(index + 1)} width={160} height={160} />
              <Group gap="xs" mt="xs">
                <ActionIcon
                  variant="default"
                  aria-label={words.first(index + 1)}
                  disabled={index === 0}
                  onClick={() => onChange([image, ...images.filter((each) => each !== image)])}
                >
                  <IconArrowLeft size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={words.removePicture(index + 1)}
                  onClick={() => onChange(images.filter((each) => each !== image))}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {add.error && (
        <Alert color="red" role="alert">
          {add.error instanceof NoPicture ? words.noPicture : sentence(add.error)}
        </Alert>
      )}
      {images.length < MOST && (
        <div>
          <FileButton accept="image/*" onChange={(file) => file && add.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconPhotoPlus size={16} />} loading={add.isPending}>
                {words.addPicture}
              </Button>
            )}
          </FileButton>
        </div>
      )}
    </>
  )
}
