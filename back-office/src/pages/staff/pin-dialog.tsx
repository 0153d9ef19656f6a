import { api } from '../../api.ts'
import { Dialog } from '../../components/dialogs.tsx'
import { SetPin } from '../../service/set-pin.tsx'
import { serviceTexts } from '../../texts/screens/service.ts'

/** A PIN for a colleague, who chooses another at first use. */
export const PinDialog = ({ person, onClose }: { person: { id: number; name: string }; onClose: () => void }) => (
  <Dialog title={serviceTexts.colleaguePin(person.name)} onClose={onClose}>
    <SetPin
      lead={serviceTexts.colleaguePinLead}
      send={(body) => api.setColleaguePin(person.id, body)}
      onDone={onClose}
    />
  </Dialog>
)
