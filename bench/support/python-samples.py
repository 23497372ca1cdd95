"""
python3 python-samples.py FOLDER

Writes mails and notebooks by others into FOLDER, and their texts by Python's own readers into FOLDER/expected.json:
the mails of the tests of CPython, read by its package `email`; the notebooks of the source package of nbconvert, read by
nbformat. Both packages of PyPI are fetched into FOLDER.
"""

import datetime, glob, json, mailbox, os, re, shutil, subprocess, sys, tarfile
from email import message_from_binary_file, policy

folder = sys.argv[1]
expected = []
pip = [sys.executable, '-m', 'pip', '--quiet', '--disable-pip-version-check']


def header(message, name):
    try:
        return ' '.join(str(message[name] or '').split())
    except Exception:
        return ''


def date_of(message):
    try:
        found = message['date'].datetime
        return (found if found.tzinfo is None else found.astimezone(datetime.timezone.utc)).strftime('%Y-%m-%dT%H:%M:%SZ')
    except Exception:
        return ''


def text_of(part):
    """A part of a mail and those inside it: of a text in several forms the plain one, else the HTML."""
    if part.get_content_type() == 'multipart/alternative':
        texts = {sub.get_content_type(): sub for sub in part.walk() if sub.get_content_maintype() == 'text'}
        chosen = texts.get('text/plain', texts.get('text/html'))
        return text_of(chosen) if chosen is not None else ''
    if part.get_content_type() == 'message/rfc822':
        return mail_text(part.get_payload(0))
    if part.is_multipart():
        return '\n'.join(text_of(sub) for sub in part.get_payload())
    if part.get_content_maintype() != 'text':
        return ''
    text = part.get_content()
    return re.sub(r'<[^>]*>', ' ', text) if part.get_content_type() == 'text/html' else text


def mail_text(message):
    lines = ['# ' + header(message, 'subject')]
    lines += [f'{name}: {header(message, name)}' for name in ('From', 'To', 'Cc') if header(message, name)]
    lines += ['Date: ' + date_of(message)] if date_of(message) else []
    names = [name for name in (part.get_filename() for part in message.walk()) if name]
    lines += ['Attachments: ' + ', '.join(names)] if names else []
    return '\n'.join(lines + [text_of(message)])


def mails():
    try:
        import test.test_email as tests
    except ImportError:
        return
    for file in sorted(glob.glob(os.path.join(os.path.dirname(tests.__file__), 'data', 'msg_*.txt'))):
        name = os.path.basename(file).replace('.txt', '.eml')
        with open(file, 'rb') as opened:
            message = message_from_binary_file(opened, policy=policy.default)
        try:
            wanted = mail_text(message)
        except Exception as error:
            print(f'not compared: {name}: Python cannot read it ({type(error).__name__})')
            continue
        shutil.copy(file, os.path.join(folder, name))
        expected.append({'name': name, 'type': 'eml', 'wanted': wanted})
    box = mailbox.mbox(os.path.join(folder, 'all.mbox'))
    for row in expected:
        with open(os.path.join(folder, row['name']), 'rb') as opened:
            box.add(opened.read())
    box.flush()
    expected.append({'name': 'all.mbox', 'type': 'mbox', 'wanted': '\n'.join(row['wanted'] for row in expected)})


def output_text(output):
    if output.output_type == 'stream':
        return output.text
    if output.output_type == 'error':
        return re.sub(r'\x1b\[[0-9;]*m', '', '\n'.join(output.traceback))
    return output.data.get('text/plain', '')


def notebooks():
    library = os.path.join(folder, 'library')
    subprocess.check_call(pip + ['install', '--target', library, 'nbformat==5.10.4'])
    subprocess.check_call(pip + ['download', '--no-deps', '--no-binary', ':all:', '--dest', folder, 'nbconvert==7.16.6'])
    sys.path.insert(0, library)
    import nbformat

    with tarfile.open(glob.glob(os.path.join(folder, 'nbconvert-*.tar.gz'))[0]) as archive:
        members = [member for member in archive.getmembers() if member.name.endswith('.ipynb')]
        for number, member in enumerate(sorted(members, key=lambda member: member.name)):
            content = archive.extractfile(member).read()
            name = f'{number:02}-{os.path.basename(member.name)}'
            with open(os.path.join(folder, name), 'wb') as opened:
                opened.write(content)
            book = nbformat.reads(content.decode(), as_version=4)
            texts = []
            for cell in book.cells:
                texts.append(cell.source)
                texts += [output_text(output) for output in cell.get('outputs', [])]
            expected.append({'name': name, 'type': 'ipynb', 'wanted': '\n'.join(texts)})


mails()
notebooks()
with open(os.path.join(folder, 'expected.json'), 'w') as opened:
    json.dump(expected, opened)
