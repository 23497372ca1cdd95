import { useNavigate } from '@tanstack/react-router'
import { useActions } from '../../actions/use-actions.ts'
import { allInputs } from '../../drawing/all-inputs.ts'
import { useEditor } from './editor.ts'
import { showInput } from './show-input.ts'

/** Lets the command palette find the inputs of the open flow: it selects the node and puts the focus on the input. */
export function useInputActions(flow: string): void {
  const editor = useEditor()
  const navigate = useNavigate()
  useActions(() => {
    const { graph, kinds } = editor.getState()
    return allInputs(graph, kinds).map(({ nodeId, node, label, path }) => ({
      id: `input ${nodeId} ${path}`,
      label: `${label} of ${node}`,
      group: 'Inputs',
      words: `${nodeId} ${path}`,
      // From another tab, too. The address selects the node, and the input gets the focus when it is drawn.
      run: () =>
        void navigate({ to: '/flows/$id', params: { id: flow }, search: { node: nodeId } }).then(() =>
          showInput(editor, nodeId, path),
        ),
    }))
  })
}
